"""``jit-lsp trace --execute``: a graph computed from arrays in a file."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final

import numpy as np

from .derived import named
from .ir import (
    ArrayType,
    Constant,
    Graph,
    HandleType,
    ListType,
    Module,
    ScalarType,
    Symbol,
    TupleType,
    Type,
    Value,
    element_name,
    registry,
)
from .ir.again import Again
from .ir.execute import execute
from .ir.gradients.reverse import AUTOGRAD
from .ir.graph import Node
from .ir.interpreter import SAVE, ExecutionError
from .ir.outline import begin_at
from .ir.passes.manager import Pass, all_passes, optimise, run_passes
from .ir.passes.torch_to_numpy import torch_to_numpy
from .ir.values import substitute
from .launch import Unusable

__all__ = ["Results", "executed"]


@dataclass(frozen=True, slots=True)
class Results:
    """What a graph gave, by name."""

    values: Mapping[str, Any]

    def text(self) -> str:
        """A line or a few for each; long arrays are cut."""
        return "".join(f"{name} = {_shown(value)}\n" for name, value in self.values.items())

    def data(self) -> bytes:
        """The file that ``numpy.load`` reads them from.

        Raises:
            Unusable: one isn't an array of numbers.
        """
        arrays = {name: np.asarray(value) for name, value in self.values.items()}
        for name, array in arrays.items():
            if array.dtype.hasobject:
                raise Unusable(f"{name} is no array of numbers, which a file of arrays can't hold")
        file = io.BytesIO()
        np.savez(file, allow_pickle=False, **arrays)
        return file.getvalue()


def executed(
    module: Module, name: str, inputs: str | None, level: int, calls: Again | None
) -> Results:
    """What the graph ``name`` gives: what it returns, or for a program all that has a name.

    ``inputs`` is a file of arrays by name. Each is for a parameter, or for any other value of the
    graph, which then isn't computed. Ahead of it, passes of ``level`` make the graph simpler.
    ``calls`` makes calls of what wasn't recorded.

    Raises:
        Unusable: inputs are missing, unknown, or not of the type that the graph has.
        ExecutionError: a node can't be computed.
    """
    arrays = _arrays_in(inputs) if inputs is not None else {}
    module = module.copy()
    module.keep_reached(name)
    graph = module.graphs[name]
    if not graph.result_types:
        graph.body.set_return(_at_the_end(graph))
    labels = _labels(graph)
    simpler = [all_passes()["inline"], all_passes()["dead-code"]]
    in_numpy = [Pass("torch-to-numpy", "", torch_to_numpy)]
    module = run_passes(module, [*in_numpy, *simpler]).module
    given = _given(module.graphs[name], arrays)
    _drop_unused_draws(module.graphs[name])
    _drop_unused_calls(module)
    if calls is not None:
        _keep_objects(module)
    module = optimise(run_passes(module, simpler[1:]).module, level)
    graph = module.graphs[name]
    _check_all_given(graph, given)
    for node in module.walk():
        if calls is None or node.call is None:
            _check_computable(node)
    values = [given.get(parameter.number) for parameter in graph.parameters]
    try:
        found = execute(module, graph, values, calls=calls)
    except ExecutionError as error:
        if error.node.call is None:
            raise
        raise ExecutionError(error.node, f"{error.reason}{_instead(error.node)}") from error
    return Results(dict(zip(labels, found, strict=True)))


def _arrays_in(path: str) -> dict[str, Any]:
    """The arrays of a file, by name."""
    try:
        with np.load(path, allow_pickle=False) as file:
            if not isinstance(file, np.lib.npyio.NpzFile):
                raise Unusable(f"{path} has one array without a name; numpy.savez writes names")
            return {name: file[name] for name in file.files}
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror or 'not a file of arrays'}") from None
    except (ValueError, zipfile.BadZipFile, EOFError) as error:
        raise Unusable(f"{path} isn't what numpy.savez writes: {error}") from None


def _given(graph: Graph, arrays: Mapping[str, Any]) -> dict[int, Any]:
    """Let the graph take what the file has; the inputs by the numbers of their parameters."""
    found: dict[int, Any] = {}
    for name, array in arrays.items():
        values = _meant(graph, name)
        if not values:
            known = {value.hint for value in graph.body.values() if value.hint}
            close = get_close_matches(name, known, 1)
            hint = f"; did you mean {close[0]}?" if close else ""
            raise Unusable(f"@{graph.name} has no value {name!r}{hint}")
        made = begin_at(graph, values)
        found[made.number] = _fitting(name, array, made.type)
    return found


def _meant(graph: Graph, name: str) -> list[Value]:
    """The values that an input is for: a parameter; or what comes from outside, at all its places;
    or the first value of that name."""
    parameters = named(graph.parameters, name)
    if parameters:
        return parameters[:1]
    values = named(list(graph.body.values()), name)
    outside = [value for value in values if value.node is not None and value.node.op is _OUTSIDE]
    return outside or [value for value in values if value.region is graph.body][:1]


def _fitting(name: str, array: Any, type_: Type) -> Any:
    """An input as the graph takes it.

    Raises:
        Unusable: its sizes or elements are others.
    """
    given = f"{element_name(array.dtype.str)}{list(array.shape)}"
    match type_:
        case ScalarType(name="int" | "float" | "bool" | "complex") if array.ndim == 0:
            return array.item()
        case ArrayType(element=element, sizes=sizes):
            same = len(sizes) == array.ndim and all(
                size is None or size == here for size, here in zip(sizes, array.shape, strict=True)
            )
            if same and element_name(array.dtype.str) == element:
                return array if array.ndim else array[()]
    raise Unusable(f"{name} is {given} in the file; the graph takes {type_}")


def _drop_unused_draws(graph: Graph) -> None:
    """Leave out random numbers that nothing uses, of a generator that isn't there to be asked."""
    for node in reversed(list(graph.body.walk())):
        info = registry.get(node.op)
        drawn = info is not None and info.effects == "random" and not node.mutated
        used = any(result.uses for result in node.results)
        if drawn and not used and any(v.node and v.node.op is _OUTSIDE for v in node.values()):
            node.erase()


def _check_all_given(graph: Graph, given: Mapping[int, Any]) -> None:
    """Raise ``Unusable`` if something that isn't computed is missing."""
    missing = [p for p in graph.parameters if p.number not in given and p.uses]
    nodes = (node for node in graph.body.walk() if node.op is _OUTSIDE)
    missing += [value for node in nodes for value in node.results if value.uses]
    if not missing:
        return
    names = dict.fromkeys(f"{v.hint or v.number} ({v.type})" for v in missing)
    raise Unusable(f"@{graph.name} also takes {', '.join(names)}; give them with --inputs FILE.npz")


def _drop_unused_calls(module: Module) -> None:
    """Leave out calls of what wasn't recorded, or is PyTorch's, where nothing uses what they give
    or write: what they do beside that is nothing that a graph computes."""
    for node in reversed(list(module.walk())):
        unknown = registry.get(node.op) is None or node.op.namespace == "torch"
        if (
            unknown
            and not node.regions
            and not node.mutated
            and not any(result.uses for result in node.results)
        ):
            node.erase()


def _keep_objects(module: Module) -> None:
    """Let calls that are made again take the objects that they took in the run."""
    for node in module.walk():
        if node.call is None:
            continue
        objects = {v: _KEPT for v in node.values() if not _is_passed(v.type)}
        if objects:
            node.set_operands([substitute(operand, objects) for operand in node.operands])


def _is_passed(type_: Type) -> bool:
    """Whether a call can be given such a value from here."""
    match type_:
        case TupleType(items=items):
            return all(map(_is_passed, items))
        case ListType(item=item):
            return _is_passed(item)
    return isinstance(type_, ArrayType | ScalarType | HandleType)


def _check_computable(node: Node) -> None:
    """Raise ``ExecutionError`` for a call of what wasn't recorded, or what is PyTorch's alone.

    Neither runs here: it is the program's code, or that of a library in its interpreter.
    """
    instead = _instead(node)
    if node.op is SAVE:
        by = node.attributes["by"]
        whose = "is PyTorch's own" if by.namespace == AUTOGRAD else "wasn't recorded"
        raise ExecutionError(node, f"its derivative {by.name} {whose}, and can't be computed here")
    if node.op.namespace == "torch":
        why = node.note or "it can't be written with NumPy's operations"
        raise ExecutionError(node, f"{why}{instead}")
    if registry.get(node.op) is None and not node.regions and node.op.namespace != "np":
        raise ExecutionError(node, f"what it does wasn't recorded{instead}")


def _instead(node: Node) -> str:
    """How to do without a node."""
    names = [str(v).removeprefix("%") for v in node.results if isinstance(v.type, ArrayType)]
    return (
        f"; --inputs can have what it gives: {', '.join(names)}"
        if names and not node.mutated
        else ""
    )


def _at_the_end(graph: Graph) -> list[Value]:
    """The last value of each name in a program."""
    dead = {value for node in graph.body for value in node.consumed}
    last = {
        value.hint: value
        for node in graph.body
        for value in node.results
        if value.hint and value not in dead and isinstance(value.type, ArrayType | ScalarType)
    }
    return list(last.values())


def _labels(graph: Graph) -> list[str]:
    """A name for each result: its hint, and its number where there is no other."""
    end = graph.body.terminator
    found: list[str] = []
    for place, operand in enumerate(end.operands if end is not None else ()):
        hint = operand.hint if isinstance(operand, Value) else None
        label = hint or f"result{place}"
        found.append(label if label not in found else f"{label}.{place}")
    return found


def _shown(value: Any) -> str:
    """A number as it is; an array with its type, and its elements as NumPy shows them."""
    if not isinstance(value, np.ndarray):
        return f"{value}"
    type_ = ArrayType(element_name(value.dtype.str), value.shape)
    elements = np.array2string(value, threshold=60, edgeitems=3, max_line_width=90, prefix="  ")
    return f"{type_}\n  {elements}" if value.ndim else f"{value}"


_KEPT: Final = Constant(Symbol("ir", "kept"))
_OUTSIDE: Final = Symbol("ir", "outside")
