"""One application of an op, as its export rule sees it: the arguments by name, the type and the
sizes of each one call away, and the operators to emit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..ir import torch_rules
from ..ir.elements import FLOATS, default, promote_all
from ..ir.graph import Node
from ..ir.opinfo import Arguments, OpError, OpInfo, Unknown, array_of
from ..ir.shapes import Dimension, Sizes, axes_of, axis_of
from ..ir.types import ArrayType, ScalarType
from ..ir.values import Constant, Keyword, Operand, Pack, Value
from .constants import evaluated
from .errors import Refused
from .model import ELEMENTS, Scope, dtype_for

if TYPE_CHECKING:
    from .exporter import Exporter

__all__ = ["FLOATING", "Application", "Baked", "element_of", "type_of"]

FLOATING: Final = (*FLOATS, "bf16")


class Baked(Exception):
    """A rule needs the size of a dimension that was to be symbolic as a number."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Application:
    """What a rule is given. Values of the ONNX graph are their names; ``""`` is one left out."""

    def __init__(self, exporter: Exporter, scope: Scope, node: Node, info: OpInfo) -> None:
        self.exporter: Final = exporter
        self.scope: Final = scope
        self.node: Final = node
        self.args: Final = _bound(node, info)
        self.base: Final = exporter.name_of(node.results[0])
        self.torch: Final = node.op.namespace == "torch"
        for value in node.results:
            if type_of(value).element not in ELEMENTS:
                raise Refused(f"it gives elements that ONNX hasn't: {type_of(value).element}")

    # ------------------------------------------------------------------ arguments

    def given(self, name: str) -> bool:
        """Whether there is such an argument, and it isn't None."""
        return self.args.given(name)

    def first(self, *names: str) -> str:
        """The first of these arguments that is given, by whatever name a library has for it."""
        return next((name for name in names if self.given(name)), names[0])

    def constant(self, *names: str, default: Any = None) -> Any:
        """The Python value of an argument under one of these names.

        Raises:
            Refused: it isn't known ahead of a run.
        """
        name = self.first(*names)
        try:
            value = self.args.constant(name, default)
        except Unknown:
            raise Refused(f"{name} is computed by the program") from None
        return default if value is None else value

    def array(self, name: str) -> ArrayType:
        """The type of an argument: element, sizes, number of dimensions."""
        try:
            return self.args.array(name)
        except Unknown:
            raise Refused(f"the type of {name} isn't known") from None

    def items(self, name: str) -> tuple[Operand, ...]:
        """The items of an argument that is a sequence."""
        try:
            return self.args.items_of(name)
        except Unknown:
            raise Refused(f"{name} isn't a sequence that is written out") from None

    def sizes(self, name: str) -> tuple[int, ...]:
        """The sizes of an argument, all of which must be known."""
        return self.known(self.array(name).sizes)

    def axis(self, *names: str, ndim: int, default: int = 0) -> int:
        """An argument that is an axis, counted from 0."""
        return axis_of(int(self.constant(*names, default=default)), ndim)

    def axes(self, *names: str, ndim: int) -> tuple[int, ...]:
        """An argument that is an axis, or several, or None for all; counted from 0."""
        axes = self.constant(*names)
        return axes_of(tuple(axes) if isinstance(axes, list | tuple) else axes, ndim)

    def numbers(self, *names: str) -> tuple[int, ...]:
        """Integers that are given one by one or as one sequence."""
        value = self.constant(*names)
        value = value if isinstance(value, tuple | list) else (value,)
        if len(value) == 1 and isinstance(value[0], tuple | list):
            value = value[0]
        return tuple(int(item) for item in value)

    @property
    def result(self) -> ArrayType:
        """The type of the first result."""
        return type_of(self.node.results[0])

    def loop_element(self, *names: str) -> str:
        """The element type in which an op on these arguments computes."""
        arrays = [self.array(name) for name in names if self.given(name)]
        if self.torch:
            return torch_rules.promoted(arrays)
        element = promote_all([array.element for array in arrays])
        if element is None:
            raise Refused("element types that have nothing in common")
        return default(element)

    # ------------------------------------------------------------------ values

    def value(self, name: str, element: str | None = None) -> str:
        """An argument as a value, with other elements where asked; ``""`` where it isn't given."""
        return self.of(self.args[name], element) if self.given(name) else ""

    def of(self, operand: Operand, element: str | None = None) -> str:
        """Any operand as a value."""
        if isinstance(operand, Keyword):
            return self.of(operand.item, element)
        if isinstance(operand, Value):
            known = self.exporter.names[operand]
            return self.cast(known, element_of(operand), element or element_of(operand))
        if isinstance(operand, Constant):
            self.fixed(operand.value)
            return self.number(operand.value, element or element_of(operand))
        if isinstance(operand, Pack) and operand.kind != "slice":
            return self._packed(operand, element)
        raise Refused("an argument that is no array")

    def _packed(self, operand: Pack, element: str | None) -> str:
        """A list of numbers or arrays as one array."""
        try:
            whole = array_of(operand)
        except Unknown:
            raise Refused("a list that isn't regular") from None
        element = element or whole.element
        numbers = _nested(operand)
        if numbers is not None:
            return self.number(numbers, element)
        parts = [
            self.emit("Unsqueeze", self.of(item, element), self.ints([0])) for item in operand.items
        ]
        return self.emit("Concat", *parts, axis=0)

    def data(self, name: str) -> np.ndarray[Any, Any] | None:
        """The elements of an argument, where they are part of the model."""
        operand = self.args[name] if self.given(name) else None
        if not isinstance(operand, Value):
            return None
        return self.scope.model.constants.get(self.exporter.names[operand])

    def number(self, value: Any, element: str) -> str:
        """A constant: a Python number, or a list of some."""
        if value is None or isinstance(value, str | bytes):
            raise Refused(f"{value!r} in the place of a number")
        try:
            array = np.asarray(value).astype(dtype_for(element))
        except (TypeError, ValueError, OverflowError, KeyError):
            raise Refused(f"{value!r} as {element}") from None
        return self.scope.model.constant(array)

    def ints(self, values: Iterable[int]) -> str:
        """A constant list of integers."""
        return self.scope.model.constant(np.array([int(v) for v in values], np.int64))

    def array_constant(self, array: np.ndarray[Any, Any]) -> str:
        """A constant of any size."""
        return self.scope.model.constant(array)

    # ------------------------------------------------------------------ sizes

    def known(self, sizes: Sizes) -> tuple[int, ...]:
        """Sizes as numbers, which then belong to the model."""
        return tuple(self.fixed(self._size(size)) for size in sizes)

    def fixed(self, number: Any) -> Any:
        """A number that becomes part of the model, and so must not be a size that is open."""
        for dimension in self.exporter.open.values():
            if isinstance(number, Dimension):
                if number.name == dimension.name:
                    raise Baked(dimension.name)
            elif type(number) in (int, float) and number == dimension and number > 1:
                raise Baked(dimension.name)
        return number

    @staticmethod
    def _size(size: int | None) -> int:
        if size is None:
            raise Refused("a size that isn't known ahead of a run")
        return size

    def shape(self, sizes: Sizes, *, infer: bool = False) -> str:
        """A list of sizes as a value. With ``infer``, one may be -1."""
        open_ = [self._is_open(size) for size in sizes]
        if infer and sum(open_) == 1 and 0 not in sizes:
            return self.ints(
                -1 if o else self.fixed(self._size(s)) for s, o in zip(sizes, open_, strict=True)
            )
        if not any(open_):
            return self.ints(self.fixed(self._size(size)) for size in sizes)
        key = ",".join(getattr(size, "name", str(size)) for size in sizes)
        known = self.scope.size_of(key)
        if known is None:
            parts = [
                self._size_of(size) if o else self.ints([self.fixed(self._size(size))])
                for size, o in zip(sizes, open_, strict=True)
            ]
            known = self.emit("Concat", *parts, axis=0) if len(parts) > 1 else parts[0]
            self.scope.sizes[key] = known
        return known

    def _is_open(self, size: int | None) -> bool:
        return isinstance(size, Dimension) and size.name in self.exporter.open

    def _size_of(self, size: int | None) -> str:
        assert isinstance(size, Dimension)
        known = self.scope.size_of(size.name)
        if known is None:
            value, axis = self.exporter.places[size.name]
            known = self.emit("Shape", value, start=axis, end=axis + 1)
            self.scope.sizes[size.name] = known
        return known

    # ------------------------------------------------------------------ operators

    def emit(self, operator: str, *inputs: str, **attributes: Any) -> str:
        """One operator with one result."""
        return self.emit_many(operator, 1, *inputs, **attributes)[0]

    def emit_many(
        self, operator: str, count: int, *inputs: str, domain: str = "", **attributes: Any
    ) -> list[str]:
        """One operator with ``count`` results; of small constants, what it gives is one."""
        constants = self.scope.model.constants
        if count == 1 and not domain and inputs and all(v in constants or not v for v in inputs):
            known = evaluated(operator, [constants.get(v) for v in inputs], attributes)
            if known is not None:
                return [self.scope.model.constant(known)]
        name = self.scope.model.name
        outputs = [name(f"{self.base}/{operator}") for _ in range(count)]
        place = self.exporter.place_of(self.node)
        self.scope.emit(operator, inputs, outputs, place=place, domain=domain, **attributes)
        return outputs

    def cast(self, value: str, given: str, wanted: str) -> str:
        """A value with other elements."""
        if default(given) == default(wanted):
            return value
        wanted = default(wanted)
        if not {default(given), wanted} <= ELEMENTS.keys():
            raise Refused(f"{given} as {wanted}")
        constant = self.scope.model.constants.get(value)
        if constant is not None:
            return self.scope.model.constant(constant.astype(dtype_for(wanted)))
        return self.emit("Cast", value, to=ELEMENTS[wanted])

    def truth(self, name: str) -> str:
        """An argument as truth values."""
        return self.value(name, "bool")

    def transposed(self, value: str, order: Sequence[int]) -> str:
        """A value with its axes in another order; a constant is turned here."""
        if list(order) == sorted(order):
            return value
        before = self.scope.maker(value)
        if before is not None and before.op_type == "Transpose":  # two of them are one
            first = list(before.attribute[0].ints)
            return self.transposed(before.input[0], [first[axis] for axis in order])
        constant = self.scope.model.constants.get(value)
        if constant is not None:
            return self.scope.model.constant(constant.transpose(order), f"{value}/transposed")
        return self.emit("Transpose", value, perm=list(order))

    def part(self, value: str, start: int, length: int) -> str:
        """Some of a value's first dimension; of a constant, taken here."""
        constant = self.scope.model.constants.get(value)
        if constant is not None:
            name = f"{value}/from_{start}"
            return self.scope.model.constant(constant[start : start + length], name)
        bounds = [self.ints([each]) for each in (start, start + length, 0)]
        return self.emit("Slice", value, *bounds)

    def reshaped(self, value: str, given: Sizes, sizes: Sizes) -> str:
        """A value of ``given`` sizes in others. What is open there comes from what is open in
        it: a size at the same place is 0 for ``Reshape``, and one more may be -1."""
        there = {size.name for size in given if isinstance(size, Dimension)}
        for size in sizes:
            if isinstance(size, Dimension) and self._is_open(size) and size.name not in there:
                raise Baked(size.name)
        same = [
            self._is_open(new) and getattr(old, "name", "") == getattr(new, "name", None)
            for old, new in zip_longest(given[: len(sizes)], sizes)
        ]
        if 0 in sizes or 0 in given or not any(same):
            return self.emit("Reshape", value, self.shape(sizes, infer=True))
        if sum(self._is_open(s) and not kept for s, kept in zip(sizes, same, strict=True)) > 1:
            return self.emit("Reshape", value, self.shape(sizes))
        wanted = [
            0 if kept else -1 if self._is_open(size) else self.fixed(self._size(size))
            for size, kept in zip(sizes, same, strict=True)
        ]
        return self.emit("Reshape", value, self.ints(wanted))

    def fold(self, operator: str, values: Sequence[str]) -> str:
        """An operator of two applied from the left to any number."""
        result, *rest = values
        for value in rest:
            result = self.emit(operator, result, value)
        return result

    def where(self, condition: str, yes: str, no: str) -> str:
        """Elements of one of two values."""
        return self.emit("Where", condition, yes, no)


Emitter = Callable[[Application], str]


def element_of(operand: Operand) -> str:
    """The element type that an operand has as a value."""
    return default(array_of(operand).element)


def type_of(value: Value) -> ArrayType:
    """The type of a value as an array's."""
    if isinstance(value.type, ScalarType):
        return ArrayType(element_of(value), ())
    try:
        return array_of(value)
    except Unknown:
        raise Refused(f"{value} is no array, but {value.type}") from None


def _bound(node: Node, info: OpInfo) -> Arguments:
    try:
        return info.bind(node.operands, node.attributes)
    except OpError as error:
        raise Refused(str(error)) from None


def _nested(operand: Operand) -> Any:
    """The numbers of a list that has nothing else; None where it has."""
    if isinstance(operand, Constant):
        return operand.value
    if not isinstance(operand, Pack):
        return None
    items = [_nested(item) for item in operand.items]
    return None if any(item is None for item in items) else items
