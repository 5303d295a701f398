"""An ONNX graph in the making: nodes in order, constants that are kept once, names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import onnx
from ml_dtypes import bfloat16
from onnx import helper, numpy_helper

from ..ir.interpreter import dtype_of
from ..ir.shapes import Dimension, Sizes

__all__ = ["CUSTOM", "ELEMENTS", "OPSET", "Model", "Scope", "dtype_for", "used_by", "value_info"]

OPSET: Final = 28
"""The current one of the onnx library that this was written for, and of onnxruntime beside it."""
CUSTOM: Final = "jit_lsp"
"""The domain of what has no operator."""
ELEMENTS: Final[Mapping[str, int]] = {
    "bool": onnx.TensorProto.BOOL,
    **{f"i{n}": getattr(onnx.TensorProto, f"INT{n}") for n in (8, 16, 32, 64)},
    **{f"u{n}": getattr(onnx.TensorProto, f"UINT{n}") for n in (8, 16, 32, 64)},
    "f16": onnx.TensorProto.FLOAT16,
    "bf16": onnx.TensorProto.BFLOAT16,
    "f32": onnx.TensorProto.FLOAT,
    "f64": onnx.TensorProto.DOUBLE,
}
"""Element types by our names. No runtime takes complex numbers."""


def dtype_for(element: str) -> np.dtype[Any]:
    """NumPy's type of the elements of constants."""
    return np.dtype(bfloat16) if element == "bf16" else dtype_of(element)


class Model:
    """What all scopes of a model share: its constants and the names in use."""

    def __init__(self) -> None:
        self.constants: Final[dict[str, np.ndarray[Any, Any]]] = {}
        self._names: Final[set[str]] = set()
        self._known: Final[dict[tuple[object, ...], str]] = {}

    def name(self, wanted: str) -> str:
        """``wanted``, or with a number behind it where that is taken."""
        name, count = wanted, 0
        while name in self._names:
            count += 1
            name = f"{wanted}/{count}"
        self._names.add(name)
        return name

    def weight(self, array: np.ndarray[Any, Any], name: str) -> str:
        """A constant that the program has a name for."""
        name = self.name(name)
        self.constants[name] = array
        return name

    def constant(self, array: np.ndarray[Any, Any], name: str = "") -> str:
        """Any other constant; equal ones are one."""
        key = (array.dtype, array.shape, array.tobytes())
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self.weight(array, name or _constant_name(array))
        return known

    def tensor(self, array: np.ndarray[Any, Any]) -> onnx.TensorProto:
        """A constant as an attribute."""
        return numpy_helper.from_array(array)

    def initializers(self, used: set[str]) -> list[onnx.TensorProto]:
        """The constants that something takes."""
        return [
            numpy_helper.from_array(array, name)
            for name, array in self.constants.items()
            if name in used
        ]


class Scope:
    """The nodes of a graph, or of the body of a loop inside one."""

    def __init__(self, model: Model, outer: Scope | None = None) -> None:
        self.model: Final = model
        self.outer: Final = outer
        self.nodes: Final[list[onnx.NodeProto]] = []
        self.sizes: Final[dict[str, str]] = {}
        """Names of dimensions to the values that say how large they are, as one element each."""

    def emit(
        self,
        operator: str,
        inputs: Sequence[str],
        outputs: Sequence[str],
        *,
        place: str = "",
        domain: str = "",
        **attributes: Any,
    ) -> None:
        """Append a node. Attributes that are None are left out, as are empty inputs at the end."""
        given = list(inputs)
        while given and not given[-1]:
            given.pop()
        kept = {name: value for name, value in attributes.items() if value is not None}
        node = helper.make_node(operator, given, list(outputs), domain=domain, **kept)
        node.name = outputs[0]
        node.doc_string = place
        self.nodes.append(node)

    def rename(self, old: str, new: str) -> bool:
        """Let what a node of this scope gives have another name; False if none gives it."""
        for node in reversed(self.nodes):
            for names in (node.input, node.output):
                for place, name in enumerate(names):
                    if name == old:
                        names[place] = new
            if new in node.output:
                node.name = node.output[0]
                return True
        return False

    def maker(self, value: str) -> onnx.NodeProto | None:
        """The node of this scope that gives a value."""
        return next((node for node in reversed(self.nodes) if value in node.output), None)

    def prune(self, wanted: Iterable[str]) -> None:
        """Take out nodes that nothing wants anything of."""
        used = set(wanted)
        kept: list[onnx.NodeProto] = []
        for node in reversed(self.nodes):
            if used.intersection(node.output):
                kept.append(node)
                used |= used_by([node])
        self.nodes[:] = reversed(kept)

    def size_of(self, name: str) -> str | None:
        """The value that says how large a named dimension is, where one does."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.sizes:
                return scope.sizes[name]
            scope = scope.outer
        return None


def used_by(nodes: Iterable[onnx.NodeProto]) -> set[str]:
    """What nodes take, those inside of bodies included."""
    found: set[str] = set()
    todo = list(nodes)
    while todo:
        node = todo.pop()
        found.update(node.input)
        for attribute in node.attribute:
            if attribute.HasField("g"):
                todo += attribute.g.node
                found.update(output.name for output in attribute.g.output)
    return found


def value_info(
    name: str, element: str, sizes: Sizes | None, symbolic: Iterable[str] = ()
) -> onnx.ValueInfoProto:
    """The type of a graph's input or output; named dimensions that are ``symbolic`` by name."""
    if sizes is None:
        return helper.make_tensor_value_info(name, ELEMENTS[element], None)
    open_ = set(symbolic)
    shape = [
        size.name if isinstance(size, Dimension) and size.name in open_ else size for size in sizes
    ]
    return helper.make_tensor_value_info(name, ELEMENTS[element], shape)


def _constant_name(array: np.ndarray[Any, Any]) -> str:
    """A name that says what a small constant is."""
    if array.size > 4:
        return "constant"
    text = "_".join(str(item) for item in array.ravel().tolist()) or "none"
    return f"constant_{text}"
