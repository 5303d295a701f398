"""What is known of an op, as data, and how its arguments are bound."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from .elements import NUMBERS, default, promote_all
from .shapes import Sizes
from .symbol import Symbol
from .types import ArrayType, ListType, ParameterType, ScalarType, Type, element_name
from .values import Attribute, Constant, Keyword, Operand, Pack, Value, same_attribute, values_of

if TYPE_CHECKING:
    from .gradients.application import Flat, NoDerivative, Rule, Through

__all__ = ["Arguments", "OpError", "OpInfo", "Permutation", "TypeRule", "Unknown", "op"]


class Unknown(Exception):
    """A type rule can't say: something it needs isn't known."""


class OpError(ValueError):
    """The op would fail on these arguments."""


TypeRule = Callable[["Arguments"], "tuple[Type, ...]"]
"""Result types from arguments; raises ``Unknown``, or ``ShapeError`` or ``OpError``."""


Permutation = Callable[["Arguments", int], "tuple[int, ...]"]
"""The axes of the argument in the order of the result, from arguments and number of dimensions."""


@dataclass(frozen=True)
class OpInfo:
    """One op.

    ``signature`` is that of the library, defaults included. ``outputs`` is how many results it has
    besides new versions of what it mutates; None if that depends on the arguments. ``mutates`` and
    ``aliases`` are positions of parameters: those changed in place, and those whose memory the
    results may share; ``mutates_when`` is an argument, and the value with which it changes the
    first. ``effects`` says what else it does or reads: ``random``, ``io``, ``calls``, memory that
    is ``uninitialised``, a value from ``outside`` of the graph; empty for a pure op. ``inplace``
    says that there is a form that writes into operand 0 (``+=``), ``fusible`` that it maps elements
    to elements. ``gradient`` has one rule for each argument (see the package ``gradients``),
    ``export`` is the ONNX operator that does the same to elements, for an op without a rule of its
    own.

    What rewrites ask: ``permutes`` is the order of axes of the result, for an op that does no more;
    ``neutral`` ops give what they were given where its type stays the same; ``transposing`` is the
    op that does the same with the flags ``transpose_a`` and ``transpose_b``; ``functional`` the one
    that gives a new array in place of a write, told by which op if it has a parameter ``by``;
    ``known`` the result, if types alone tell it. ``shares`` says of an application whether the
    result surely is a view of the first argument, or surely isn't, and None where it may be. What
    is put into a view is put into that argument by the op ``put_back``, which takes the new value
    besides; or by turning it back, as ``permutes`` says; or, for an op that ``regroups`` the same
    elements into other sizes, by a reshape.
    """

    symbol: Symbol
    signature: str
    outputs: int | None
    type_rule: TypeRule | None
    sentence: str
    example: str = ""
    mutates: tuple[int, ...] = ()
    mutates_when: tuple[str, Attribute] | None = None
    aliases: tuple[int, ...] = ()
    effects: str = ""
    inplace: bool = False
    fusible: bool = False
    gradient: tuple[Rule, ...] | Through | Flat | NoDerivative | None = None
    export: str | None = None
    permutes: Permutation | None = None
    neutral: bool = False
    transposing: str | None = None
    functional: str | None = None
    known: Callable[[Arguments], Any] | None = None
    shares: Callable[[Arguments], bool | None] | None = None
    put_back: str | None = None
    regroups: bool = False

    @cached_property
    def parameters(self) -> Mapping[str, bool]:
        """Names of the parameters in order, and whether each is required."""
        parts = [part for part in _COMMA.split(self.signature) if part and part != "/"]
        return {part.split("=")[0]: "=" not in part and "*" not in part for part in parts}

    @cached_property
    def defaults(self) -> Mapping[str, Any]:
        """The default of each parameter that has one."""
        parts = [part.split("=") for part in _COMMA.split(self.signature) if "=" in part]
        return {name: literal_eval(text) for name, text in parts}

    @cached_property
    def arity(self) -> tuple[int, int | None]:
        """The least and the largest number of arguments; None for any number."""
        names = list(self.parameters)
        most = None if any(name.startswith("*") and name != "*" for name in names) else len(names)
        return sum(self.parameters.values()), most

    @cached_property
    def positional_only(self) -> int:
        """How many of the first parameters can't be passed by name."""
        before, slash, _ = self.signature.partition(", /")
        return len(_COMMA.split(before)) if slash else 0

    @property
    def pure(self) -> bool:
        """Whether it does nothing but compute its results."""
        return not self.effects and not self.mutates

    @property
    def removable(self) -> bool:
        """Whether an application whose results nothing uses can be left out."""
        return not self.mutates and self.effects in ("", "uninitialised", "outside")

    def mutated(
        self,
        operands: Sequence[Operand],
        attributes: Mapping[str, Attribute] = MappingProxyType({}),
    ) -> tuple[int, ...]:
        """The positions among ``operands`` that it changes in place, ``out=`` included."""
        written = set(self.mutates)
        if self.mutates_when is not None:
            name, value = self.mutates_when
            if name in attributes and same_attribute(attributes[name], value):
                written.add(0)
        if "out" in self._places:
            written.add(self._places["out"])
        return self._positions(operands, written)

    def aliased(self, operands: Sequence[Operand]) -> tuple[int, ...]:
        """The positions among ``operands`` whose memory the results may share."""
        return self._positions(operands, set(self.aliases))

    def _positions(self, operands: Sequence[Operand], parameters: set[int]) -> tuple[int, ...]:
        """Where the arguments for these parameters stand, as far as they are values."""
        found: list[int] = []
        for position, operand in enumerate(operands):
            if isinstance(operand, Keyword):
                place = self._places.get(operand.name, -1)
            else:
                place = min(position, self._variadic)
            if place in parameters and any(True for _ in values_of(operand)):
                found.append(position)
        return tuple(found)

    @cached_property
    def _places(self) -> Mapping[str, int]:
        """The position of each parameter."""
        names = (name for name in self.parameters if name != "*")
        return {name: place for place, name in enumerate(names)}

    @cached_property
    def _variadic(self) -> int:
        """The position of the parameter that takes all further arguments."""
        places = [place for name, place in self._places.items() if name.startswith("*")]
        return places[0] if places else len(self._places)

    def bind(self, operands: Sequence[Operand], attributes: Mapping[str, Attribute]) -> Arguments:
        """The arguments by the names of parameters; raises ``OpError`` when they don't fit."""
        return Arguments(self, operands, attributes)


_MISSING: Final = object()


class Arguments(Mapping[str, Operand]):
    """Arguments of one application by name, and what a type rule may ask of them."""

    def __init__(
        self, op: OpInfo, operands: Sequence[Operand], attributes: Mapping[str, Attribute]
    ) -> None:
        self.op: Final = op
        self._bound: dict[str, Operand] = {}
        names = iter(name for name in op.parameters if name != "*")
        rest: list[Operand] = []
        variadic = ""
        for operand in operands:
            if isinstance(operand, Keyword):
                self._bound[operand.name] = operand.item
                continue
            name = variadic or next(names, "")
            if name.startswith("*"):
                variadic = name
                rest.append(operand)
            elif not name:
                raise OpError(f"{op.symbol} takes {_count(op.arity)}, {len(operands)} are given")
            else:
                self._bound[name] = operand
        if variadic:
            self._bound[variadic[1:]] = Pack("tuple", rest)
        for name, value in attributes.items():
            self._bound[name] = _operand(value)
        missing = [n for n, needed in op.parameters.items() if needed and n not in self._bound]
        if missing:
            raise OpError(f"{op.symbol} needs {' and '.join(missing)}")

    def __getitem__(self, name: str) -> Operand:
        return self._bound[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._bound)

    def __len__(self) -> int:
        return len(self._bound)

    def constant(self, name: str, default: Any = _MISSING) -> Any:
        """The Python value of an argument that is constant; ``default`` where it isn't given."""
        if name not in self._bound:
            if default is _MISSING:
                raise Unknown(name)
            return default
        return constant_of(self._bound[name])

    def given(self, name: str) -> bool:
        """Whether an argument is given, and isn't None."""
        return self._bound.get(name, _NONE) != _NONE

    def items_of(self, name: str) -> tuple[Operand, ...]:
        """The items of an argument that is a sequence."""
        operand = self._bound[name]
        if isinstance(operand, Pack) and operand.kind != "slice":
            return operand.items
        raise Unknown(name)

    def array(self, name: str) -> ArrayType:
        """An argument as an array; a Python scalar has the element ``int``, ``float`` ..."""
        if name not in self._bound:
            raise Unknown(name)
        return array_of(self._bound[name])

    def sizes(self, name: str, default: Any = _MISSING) -> Sizes:
        """A constant argument that gives a shape: an integer or a sequence of them."""
        shape = self.constant(name, default)
        return (shape,) if isinstance(shape, int) else tuple(shape)

    def element(self, name: str = "dtype") -> str | None:
        """The element type that an argument asks for; None where it isn't given."""
        if not self.given(name):
            return None
        wanted = self.constant(name)
        if isinstance(wanted, Symbol):
            known = _DTYPES.get(wanted.name.rsplit(".", 1)[-1])
            if known is None:
                raise Unknown(name)
            return known
        if isinstance(wanted, ArrayType):
            return wanted.element
        if wanted in NUMBERS:
            return str(wanted)
        if isinstance(wanted, str) and wanted[:1] in "<>|=":
            return element_name(wanted)
        if wanted not in _DTYPES:
            raise Unknown(name)
        return _DTYPES[wanted]


def op(
    symbol: str,
    signature: str,
    type_rule: TypeRule | None,
    sentence: str,
    example: str = "",
    *,
    outputs: int | None = 1,
    methods: Sequence[str] = (),
    **more: Any,
) -> list[OpInfo]:
    """The declaration of one op, and of the methods of ``np.ndarray`` that do the same."""
    info = OpInfo(Symbol.parse(symbol), signature, outputs, type_rule, sentence, example, **more)
    return [
        info,
        *(replace(info, symbol=Symbol("np", f"ndarray.{name}"), example="") for name in methods),
    ]


def array_of(operand: Operand) -> ArrayType:
    """The array that NumPy makes of an operand; weak Python scalars keep their own names."""
    match operand:
        case Value(type=ArrayType() as type_):
            return type_
        case Value(type=ParameterType(array=array)):
            return array
        case Value(type=ScalarType(name=name)) if name in _SCALAR_ELEMENTS:
            return ArrayType(name, ())
        case Value(type=ListType(item=ScalarType(name=name), length=length)):
            if name in _SCALAR_ELEMENTS:
                return ArrayType(_SCALAR_ELEMENTS[name], (length,))
        case Constant(value=value) if type(value).__name__ in _SCALAR_ELEMENTS:
            return ArrayType(type(value).__name__, ())
        case Pack(kind="list" | "tuple", items=items):
            return _stacked([array_of(item) for item in items])
    raise Unknown("an operand that isn't an array")


def constant_of(operand: Operand) -> Any:
    """The Python value of a constant operand."""
    match operand:
        case Constant(value=value):
            return value
        case Pack(kind="list", items=items):
            return [constant_of(item) for item in items]
        case Pack(kind="tuple", items=items):
            return tuple(constant_of(item) for item in items)
    raise Unknown("an operand that isn't constant")


def _stacked(items: Sequence[ArrayType]) -> ArrayType:
    if not items:
        return ArrayType("f64", (0,))
    element = promote_all(item.element for item in items)
    if element is None or len({item.sizes for item in items}) > 1:
        raise Unknown("a list that isn't regular")
    return ArrayType(default(element), (len(items), *items[0].sizes))


def _operand(value: Attribute) -> Operand:
    if isinstance(value, tuple):
        return Pack("tuple", map(_operand, value))
    return Constant(value)


def _count(arity: tuple[int, int | None]) -> str:
    least, most = arity
    return f"{least}" if least == most else f"{least} to {most or 'any number of'} arguments"


_COMMA = re.compile(r",\s*(?![^()]*\))")
_NONE: Final = Constant(None)
_SCALAR_ELEMENTS: Final = {"bool": "bool", "int": "i64", "float": "f64", "complex": "c128"}
_DTYPES: Final = {
    "bool": "bool",
    "bool_": "bool",
    "int": "i64",
    "float": "f64",
    "complex": "c128",
    "intp": "i64",
    "single": "f32",
    "double": "f64",
    "half": "f16",
    **{f"int{bits}": f"i{bits}" for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": f"u{bits}" for bits in (8, 16, 32, 64)},
    **{f"float{bits}": f"f{bits}" for bits in (16, 32, 64)},
    "bfloat16": "bf16",
    "long": "i64",
    "complex64": "c64",
    "complex128": "c128",
    "object": "object",
    "object_": "object",
}
