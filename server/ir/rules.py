"""Type rules that many ops share, each made from what differs between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .elements import BOOL, COMPLEX, FLOATS, INTS, default, loop_for, promote_all, real
from .opinfo import Arguments, OpError, TypeRule, Unknown
from .shapes import Sizes, broadcast, reduced
from .types import ArrayType, ScalarType, Type

__all__ = [
    "array",
    "element_rule",
    "elementwise",
    "nothing",
    "reduction",
    "same",
    "shaped",
    "unless_copied",
]

ElementRule = Callable[[str], str]
"""The element type of a result, from that of the argument."""


def array(element: str, sizes: Sizes) -> tuple[Type, ...]:
    """The result types of an op that gives one array."""
    return (ArrayType(default(element), sizes),)


def elementwise(
    inputs: Sequence[str],
    loops: Sequence[str],
    *results: str | ElementRule | None,
    whole: str | None = None,
    bools: bool = True,
) -> TypeRule:
    """Ufuncs: arguments ``inputs`` broadcast, the computation is in one of ``loops``.

    ``results`` are the element types of the results: fixed, made from that of the loop, or (None)
    the same. By default there is one result of the loop's type. ``whole`` is the loop for whole
    numbers, where it isn't the first that fits; ``bools`` says whether bools alone are taken.
    """
    wanted = results or (None,)

    def rule(args: Arguments) -> tuple[Type, ...]:
        arrays = [args.array(name) for name in inputs]
        if args.given("where"):
            arrays.append(args.array("where"))
        sizes = broadcast(*(each.sizes for each in arrays))
        elements = tuple(each.element for each in arrays[: len(inputs)])
        dtype = args.element()
        if not bools and all(element == "bool" for element in elements):
            raise OpError(f"{args.op.symbol} isn't defined for bool")
        if dtype is None and whole is not None and all(e in _WHOLE for e in elements):
            dtype = whole
        loop = dtype if dtype is not None else loop_for(elements, tuple(loops))
        if loop is None:
            if promote_all(elements) is None:
                raise Unknown("element types that aren't numbers")
            raise OpError(f"{args.op.symbol} isn't defined for {' and '.join(elements)}")
        return tuple(ArrayType(_result(each, loop), sizes) for each in wanted)

    return rule


def reduction(
    element: str | ElementRule | None = None, *, dtype: bool = True, of_none: bool = True
) -> TypeRule:
    """Functions of an array over ``axis`` with ``keepdims``.

    ``of_none`` says whether there is a result for no elements at all, as 0 for the sum.
    """

    def rule(args: Arguments) -> tuple[Type, ...]:
        source = args.array("a")
        axis, keepdims = args.constant("axis", None), args.constant("keepdims", False)
        sizes = reduced(source.sizes, axis, keepdims is True)
        if not of_none and 0 in source.sizes and 0 not in sizes and not args.given("initial"):
            raise OpError(f"{args.op.symbol} of no elements")
        wanted = args.element() if dtype else None
        return array(wanted or _result(element, default(source.element)), sizes)

    return rule


def same(name: str = "a", element: str | ElementRule | None = None) -> TypeRule:
    """An array of the sizes of an argument."""

    def rule(args: Arguments) -> tuple[Type, ...]:
        source = args.array(name)
        wanted = args.element() if "dtype" in args.op.parameters else None
        return array(wanted or _result(element, default(source.element)), source.sizes)

    return rule


def shaped(sizes: Callable[[Arguments, Sizes], Sizes], name: str = "a") -> TypeRule:
    """An array of the same elements in other sizes, which ``sizes`` makes from those before."""

    def rule(args: Arguments) -> tuple[Type, ...]:
        source = args.array(name)
        return array(source.element, sizes(args, source.sizes))

    return rule


def element_rule(**changes: str) -> ElementRule:
    """Keeps an element type, but for the kinds that are named: ``element_rule(ints="f64")``."""
    table: dict[str, str] = {}
    for kind, target in changes.items():
        for member in {"bool": BOOL, "ints": INTS, "floats": FLOATS, "complex": COMPLEX}[kind]:
            table[member] = target
    return lambda element: table.get(element, element)


def nothing(args: Arguments) -> tuple[Type, ...]:
    """No results besides new versions of what was mutated."""
    return ()


def scalar(name: str) -> TypeRule:
    """A Python scalar."""
    return lambda args: (ScalarType(name),)


def unless_copied(args: Arguments) -> bool | None:
    """For ``shares``: surely a copy, unless ``copy`` says that it needn't be one."""
    return False if args.constant("copy", True) is True else None


def sum_element(element: str) -> str:
    """The accumulator of sums and products: at least 64 bits for whole numbers."""
    if element in BOOL or element in INTS:
        return "u64" if element.startswith("u") else "i64"
    return element


def mean_element(element: str) -> str:
    """What dividing by a count makes of an element: whole numbers become ``f64``."""
    return "f64" if element in BOOL or element in INTS else element


def deviation_element(element: str) -> str:
    """As ``mean_element``, and the parts of complex numbers."""
    return real(mean_element(element))


def _result(rule: str | ElementRule | None, element: str) -> str:
    if rule is None:
        return element
    return rule if isinstance(rule, str) else rule(element)


_WHOLE = frozenset({*BOOL, *INTS, "int"})
