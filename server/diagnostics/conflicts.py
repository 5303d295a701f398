"""Where the shapes of a failed operation conflict: which sizes differ, and what they must be.

Each family of operations has one account. It is given the operands as they were, and works out the
conflict itself; NumPy's words are used only where the operands don't tell (the room of a slice).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

from ..doc.source import Span
from ..ir import ArrayType, shapes
from ..ir.opinfo import OpInfo
from ..tracer.trace import (
    Array,
    Constant,
    Event,
    Failure,
    Pack,
    Scalar,
    Site,
    SiteOperand,
    Trace,
    Value,
)
from . import ops
from .describe import name_at
from .syntax import argument, call_at, enclosing, literal, span_of


@dataclass(frozen=True, slots=True)
class Side:
    """One array of a failed operation."""

    name: str
    span: Span
    value: Value
    type: ArrayType
    operand: SiteOperand | None = None
    """None for an item of a list that is not written out."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """Its sizes, all of which are known."""
        return tuple(size or 0 for size in self.type.sizes)

    @property
    def ndim(self) -> int:
        """How many axes it has."""
        return self.type.ndim


@dataclass(frozen=True, slots=True)
class Mark:
    """What is wrong with one side: the axes that differ, and what is said of them."""

    axes: frozenset[int] = frozenset()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Why the shapes don't fit. ``says`` has ways to put it, the fullest first."""

    says: tuple[str, ...]
    sides: tuple[Side, ...]
    marks: Mapping[int, Mark] = field(default_factory=dict)
    """By the position in ``sides``."""


@dataclass(frozen=True)
class Case:
    """A failed operation, as an account of it asks about it."""

    trace: Trace
    failure: Failure
    site: Site

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """The operands' values beside ``site.operands``."""
        return tuple(value for _, _, value in self.failure.operands)

    @cached_property
    def event(self) -> Event:
        """The operation as if it had happened."""
        return Event(0, "op", self.site, self.trace.frames[0], None, self.values)

    @cached_property
    def op(self) -> OpInfo | None:
        """What the registry knows of the operation."""
        return ops.info(self.event)

    @cached_property
    def name(self) -> str:
        """The op's name without that of a class."""
        return ops.name(self.event)

    @cached_property
    def text(self) -> str:
        """The operation as written, shortened."""
        return name_at(self.trace, self.site.span, 40)

    @cached_property
    def called(self) -> str:
        """The function as written, for calls with long arguments."""
        call = self.call
        return f"{ast.unparse(call.func)}()" if call is not None else self.text

    @cached_property
    def call(self) -> ast.Call | None:
        """The call as written."""
        return call_at(self.trace, self.site)

    def ways(self, fact: str, short: str = "") -> tuple[str, ...]:
        """Headlines that say ``fact``, with as much of the operation as there is room for."""
        heads = (self.text, self.called if self.call else self.name)
        says = [f"{head}: {fact}" for head in heads] + [fact]
        return tuple(says + [f"{head}: {short}" for head in heads if short])

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """All arrays among the operands, those of lists included."""
        return tuple(self._sides())

    def _said(self) -> Sequence[tuple[int, ...]]:
        """The operands' shapes in NumPy's words, where it names them all in their order.

        They are needed where the operation ran unrecorded, in the plain twin of a loop, and for
        the variable of a comprehension, which is gone by the time that an exception is seen.
        """
        said = shapes_said(self.failure.message)
        elementwise = self.op is not None and self.op.fusible
        all_named = elementwise and "broadcast together" in self.failure.message
        aligned = self.name == "dot" and "not aligned" in self.failure.message
        return said if (all_named or aligned) and len(said) == len(self.site.operands) else ()

    def _seen_before(self, where: SiteOperand) -> ArrayType | None:
        """The type that an operand had when it was last recorded."""
        for event in reversed(self.trace.events):
            if event.site.number == where.site and isinstance(event.result, Array | Scalar):
                return event.result.type
            if event.site is self.site:
                value = event.operands[self.site.operands.index(where)]
                if isinstance(value, Array | Scalar):
                    return value.type
        return None

    @cached_property
    def out(self) -> Side | None:
        """What ``out=`` gave to write into."""
        for where, (_, span, value) in zip(self.site.operands, self.failure.operands, strict=False):
            if where.role == "out" and isinstance(value, Array) and value.type is not None:
                return Side(name_at(self.trace, span), span, value, value.type, where)
        return None

    def constant(self, name: str, default: object = None) -> object:
        """A literal argument, by the name of its parameter."""
        names = [n for n in (self.op.parameters if self.op else ()) if n not in ("*", "/")]
        method = bool(self.site.operands) and self.site.operands[0].role == "self"
        position = names.index(name) - method if name in names else None
        node = argument(self.call, position, name)
        return default if node is None else literal(node)

    def _sides(self) -> Iterator[Side]:
        said = iter(self._said())
        for where, (_, span, value) in zip(self.site.operands, self.failure.operands, strict=False):
            if where.role in ("index", "out") and self.site.kind != "getitem":
                continue
            name = name_at(self.trace, span)
            sizes = next(said, None)
            unknown = value is None or value == Constant(None)
            if unknown and sizes is not None:
                seen = self._seen_before(where)
                if seen is not None:
                    yield Side(name, span, None, seen.with_(sizes=sizes, strides=None), where)
            elif isinstance(value, Array | Scalar) and value.type is not None:
                yield Side(name, span, value, value.type, where)
            elif isinstance(value, Pack):
                for i, item in enumerate(value.items):
                    if isinstance(item, Array) and item.type is not None:
                        yield Side(f"{name}[{i}]", span, item, item.type, where)


def conflict(case: Case) -> Conflict | None:
    """The conflict of a failed operation; None where no account of it is sure."""
    if any(None in side.type.sizes for side in case.sides):
        return None
    account = _ACCOUNTS.get(case.name)
    if case.site.kind.endswith(":item"):
        account = _store
    elif account is None and case.op is not None and case.op.fusible:
        account = _elementwise
    return account(case) if account is not None else None


def axis_is(axis: int, side: Side) -> str:
    """``axis 1 of x is 784``, ``t has 100 elements``."""
    size = side.sizes[axis]
    if side.ndim == 1:
        return f"{side.name} has {_count(size, 'element')}"
    return f"axis {axis} of {side.name} is {size}"


def both_are(a: Side, i: int, b: Side, j: int) -> str:
    """Two axes and their sizes."""
    second = axis_is(j, b)
    if a.ndim == b.ndim == 1:
        second = f"{b.name} has {b.sizes[j]}"
    return f"{axis_is(i, a)}, {second}"


def shown(sizes: Sequence[int]) -> str:
    """``[50, 1]``, as types show sizes."""
    return f"[{', '.join(map(str, sizes))}]"


# ---------------------------------------------------------------------- element by element


def _elementwise(case: Case) -> Conflict | None:
    sides = case.sides
    found = _broadcast_conflict(case, sides)
    result = _broadcast(side.sizes for side in sides)
    if found is not None or result is None or not sides:
        return found
    if case.site.kind.startswith("inplace:"):
        return _no_room(case, result, sides[0], (sides[0], sides[-1]))
    return _no_room(case, result, case.out, sides)


def _no_room(
    case: Case, result: tuple[int, ...], target: Side | None, sides: Sequence[Side]
) -> Conflict | None:
    """A result that doesn't fit where it should be written."""
    if target is None or result == target.sizes:
        return None
    says = f"the result is {shown(result)}, {target.name} has room for {shown(target.sizes)}"
    rows = tuple(sides) if target in sides else (*sides, target)
    return Conflict(case.ways(says), rows)


def _broadcast_conflict(case: Case, sides: Sequence[Side]) -> Conflict | None:
    for back in range(1, max((side.ndim for side in sides), default=0) + 1):
        wide = [s for s in sides if s.ndim >= back and s.sizes[-back] != 1]
        sizes = {s.sizes[-back] for s in wide}
        if len(sizes) < 2:
            continue
        first = wide[0]
        other = next(s for s in wide if s.sizes[-back] != first.sizes[-back])
        if [s.sizes[-back] for s in wide].count(first.sizes[-back]) == 1 and len(wide) > 2:
            first, other = other, first  # the odd one out of three comes last
        mark = Mark(frozenset({other.ndim - back}), _lines_up(first, other, back))
        both = both_are(first, first.ndim - back, other, other.ndim - back)
        short = f"sizes {first.sizes[-back]} and {other.sizes[-back]} don't broadcast"
        return Conflict(case.ways(both, short), tuple(sides), {sides.index(other): mark})
    return None


def _lines_up(first: Side, other: Side, back: int) -> str:
    """What to say of the size that doesn't fit: where it would, or what would."""
    short, long = sorted((first, other), key=lambda s: s.ndim)
    size = short.sizes[-back]
    fits = [axis for axis in range(long.ndim - short.ndim) if long.sizes[axis] == size]
    if short.ndim == 1 and len(fits) == 1:
        return f"lines up with axis {long.ndim - 1}, not with axis {fits[0]}"
    return f"must be {first.sizes[-back]} or 1"


def _broadcast(shapes: Iterator[tuple[int, ...]]) -> tuple[int, ...] | None:
    result: tuple[int, ...] = ()
    for sizes in shapes:
        ndim = max(len(result), len(sizes))
        a = (1,) * (ndim - len(result)) + result
        b = (1,) * (ndim - len(sizes)) + sizes
        if any(m != n and 1 not in (m, n) for m, n in zip(a, b, strict=True)):
            return None
        result = tuple(n if m == 1 else m for m, n in zip(a, b, strict=True))
    return result


# ---------------------------------------------------------------------- products


def _matmul(case: Case) -> Conflict | None:
    return _inner(case, batched=True)


def _dot(case: Case) -> Conflict | None:
    return _inner(case, batched=False)


def _inner(case: Case, *, batched: bool) -> Conflict | None:
    if len(case.sides) != 2:
        return None
    a, b = case.sides
    if not a.ndim or not b.ndim:
        scalar = a if not a.ndim else b
        says = f"{scalar.name} is one number, neither vector nor matrix"
        return Conflict(case.ways(says), (a, b))
    left, right = a.ndim - 1, max(b.ndim - 2, 0)
    if case.name == "inner":
        right = b.ndim - 1
    if a.sizes[left] != b.sizes[right]:
        return _pair(case, a, left, b, right)
    found = _stacks(case, a, b) if batched else None
    if found is None and batched and case.out is not None:
        try:
            result = tuple(size or 0 for size in shapes.matmul(a.sizes, b.sizes))
        except shapes.ShapeError:
            return None
        return _no_room(case, result, case.out, (a, b))
    return found


def _stacks(case: Case, a: Side, b: Side) -> Conflict | None:
    """Matrix products whose stacks differ: the axes before the last two."""
    for back in range(3, min(a.ndim, b.ndim) + 1):
        m, n = a.sizes[-back], b.sizes[-back]
        if m != n and 1 not in (m, n):
            return _pair(case, a, a.ndim - back, b, b.ndim - back, must=f"must be {m} or 1")
    return None


def _pair(case: Case, a: Side, i: int, b: Side, j: int, must: str = "") -> Conflict:
    """Two axes that had to be equal."""
    both = both_are(a, i, b, j)
    short = f"sizes {a.sizes[i]} and {b.sizes[j]} differ"
    mark = Mark(frozenset({j}), must or f"must be {a.sizes[i]}")
    return Conflict(case.ways(both, short), case.sides, {case.sides.index(b): mark})


def _tensordot(case: Case) -> Conflict | None:
    axes = case.constant("axes", 2)
    if len(case.sides) != 2:
        return None
    a, b = case.sides
    if isinstance(axes, int):
        first, second = list(range(a.ndim - axes, a.ndim)), list(range(axes))
    elif isinstance(axes, tuple | list) and len(axes) == 2:
        first, second = ([x] if isinstance(x, int) else list(x) for x in axes)
    else:
        return None
    for i, j in zip(first, second, strict=False):
        if a.sizes[i] != b.sizes[j]:
            return _pair(case, a, i % a.ndim, b, j % b.ndim)
    return None


def _einsum(case: Case) -> Conflict | None:
    subscripts = case.constant("subscripts")
    if not isinstance(subscripts, str) or "." in subscripts:
        return None
    terms = subscripts.replace(" ", "").partition("->")[0].split(",")
    if len(terms) != len(case.sides):
        return None
    seen: dict[str, tuple[Side, int]] = {}
    for term, side in zip(terms, case.sides, strict=True):
        if len(term) != side.ndim:
            says = f"'{term}' names {_count(len(term), 'axis')}, {side.name} has {side.ndim}"
            return Conflict(case.ways(says), case.sides)
        for axis, letter in enumerate(term):
            first, at = seen.setdefault(letter, (side, axis))
            m, n = first.sizes[at], side.sizes[axis]
            if m == n or 1 in (m, n):
                continue
            says = f"{letter} is {m} in {first.name} and {n} in {side.name}"
            mark = Mark(frozenset({axis}), f"must be {m}, '{letter}'")
            return Conflict(case.ways(says), case.sides, {case.sides.index(side): mark})
    return None


def _solve(case: Case) -> Conflict | None:
    if len(case.sides) != 2:
        return _square(case)
    a, b = case.sides
    if a.ndim < 2 or a.sizes[-1] != a.sizes[-2]:
        return _square(case)
    axis = b.ndim - 1 if b.ndim == 1 else b.ndim - 2
    if b.ndim and a.sizes[-2] != b.sizes[axis]:
        return _pair(case, a, a.ndim - 2, b, axis)
    return None


def _lstsq(case: Case) -> Conflict | None:
    a, b = case.sides[:2] if len(case.sides) > 1 else (None, None)
    if a is None or b is None or a.ndim != 2 or not b.ndim or a.sizes[0] == b.sizes[0]:
        return None
    return _pair(case, a, 0, b, 0)


def _square(case: Case) -> Conflict | None:
    if not case.sides:
        return None
    a = case.sides[0]
    if a.ndim < 2:
        says = f"{a.name} has {_count(a.ndim, 'axis')}, a matrix has 2"
        return Conflict(case.ways(says), (a,))
    if a.sizes[-1] == a.sizes[-2]:
        return None
    says = f"{a.name} must be square, it is {a.sizes[-2]} by {a.sizes[-1]}"
    axes = frozenset({a.ndim - 2, a.ndim - 1})
    return Conflict(case.ways(says), (a,), {0: Mark(axes, "must be equal")})


# ---------------------------------------------------------------------- joining and reshaping


def _join(case: Case) -> Conflict | None:
    sides = case.sides
    if len(sides) < 2:
        return None
    raised = [_raised(case.name, side) for side in sides]
    odd = _odd_one([len(sizes) for sizes in raised])
    if odd is not None:
        other = 0 if odd else 1
        a, b = sides[other], sides[odd]
        says = f"{a.name} has {_count(a.ndim, 'axis')}, {b.name} has {b.ndim}"
        return Conflict(case.ways(says), _few(sides, (other, odd)))
    joined = _joined_axis(case, len(raised[0]))
    for axis in range(len(raised[0])):
        odd = _odd_one([sizes[axis] for sizes in raised]) if axis != joined else None
        if odd is not None:
            return _unequal(case, raised, axis, odd)
    return None


def _unequal(case: Case, raised: Sequence[tuple[int, ...]], axis: int, odd: int) -> Conflict:
    """Arrays to be joined differ in an axis other than the joined one."""
    sides = case.sides
    sizes = [r[axis] for r in raised]
    other = next(i for i, size in enumerate(sizes) if size != sizes[odd])
    a, b = sides[other], sides[odd]
    own = [axis - (len(r) - s.ndim) for r, s in zip(raised, sides, strict=True)]
    if case.name in ("column_stack", "dstack") and b.ndim == 1:
        own = [min(axis, s.ndim - 1) for s in sides]
    both = both_are(a, own[other], b, own[odd])
    if len(sides) > 2 and sizes.count(sizes[other]) == len(sides) - 1:
        rest = f"all others have {sizes[other]}" if b.ndim == 1 else f"of all others {sizes[other]}"
        both = f"{axis_is(own[odd], b)}, {rest}"
    rows = _few(sides, (other, odd))
    mark = Mark(frozenset({own[odd]}), f"must be {sizes[other]}")
    short = f"sizes {sizes[other]} and {sizes[odd]} differ"
    return Conflict(case.ways(both, short), rows, {rows.index(b): mark})


def _raised(name: str, side: Side) -> tuple[int, ...]:
    """The sizes that the joining function gives an array first."""
    sizes = side.sizes
    if name == "vstack":
        return (1,) * (2 - len(sizes)) + sizes
    if name == "column_stack" and len(sizes) == 1:
        return (*sizes, 1)
    if name == "dstack":
        return {0: (1, 1, 1), 1: (1, *sizes, 1), 2: (*sizes, 1)}.get(len(sizes), sizes)
    return sizes if sizes or name == "stack" else (1,)


def _joined_axis(case: Case, ndim: int) -> int | None:
    """The axis along which sizes may differ."""
    if case.name in ("concatenate", "append"):
        axis = case.constant("axis", 0)
        return axis % ndim if isinstance(axis, int) and ndim else None
    return {"vstack": 0, "hstack": 0 if ndim == 1 else 1, "column_stack": 1, "dstack": 2}.get(
        case.name
    )


def _odd_one(items: Sequence[int]) -> int | None:
    """The position of the first that differs from what most of them are; None where all agree."""
    if len(set(items)) < 2:
        return None
    usual = max(items, key=items.count) if len(items) > 2 else items[0]
    return next(i for i, item in enumerate(items) if item != usual)


def _few(sides: Sequence[Side], wanted: tuple[int, int]) -> tuple[Side, ...]:
    """All sides where they are few, else those that differ."""
    return tuple(sides) if len(sides) <= 3 else tuple(sides[i] for i in sorted(wanted))


_RESHAPE = re.compile(r"cannot reshape array of size (\d+) into shape \(([\d,-]*)\)")


def _reshape(case: Case) -> Conflict | None:
    shape = _RESHAPE.search(case.failure.message)
    if shape is None or not case.sides:
        return None
    count, wanted = int(shape[1]), [int(n) for n in shape[2].split(",") if n]
    a, needed = case.sides[0], prod(n for n in wanted if n >= 0)
    if -1 in wanted or "-1" in case.trace.text(case.site.span):
        says = f"{a.name} has {count:,} elements, which {needed:,} does not divide"
    else:
        says = f"{a.name} has {count:,} elements, {shown(wanted)} needs {needed:,}"
    return Conflict(case.ways(says), (a,))


# ---------------------------------------------------------------------- indexing


def _getitem(case: Case) -> Conflict | None:
    pairs = list(zip(case.site.operands, case.values, strict=False))
    if not pairs or not isinstance(pairs[0][1], Array):
        return None
    indexed = [
        Side(name_at(case.trace, o.span), o.span, v, v.type, o)
        for o, v in pairs
        if isinstance(v, Array) and v.type is not None and o.role in ("0", "self", "index")
    ]
    array, indices = indexed[0], indexed[1:]
    masks = [side for side in indices if side.type.element == "bool"]
    if len(indices) == len(masks) == 1 and sum(o.role == "index" for o, _ in pairs) == 1:
        return _mask(case, array, masks[0])
    if len(indices) > 1 and not masks:
        found = _broadcast_conflict(case, indices)
        if found is not None:
            names = " and ".join(side.name for side in indices)
            sizes = " and ".join(shown(side.sizes) for side in indices)
            says = f"{case.text}: the index lists {names} are paired, and are {sizes}"
            return Conflict((says, *found.says), (array, *found.sides), _shifted(found.marks))
    return None


def _shifted(marks: Mapping[int, Mark]) -> dict[int, Mark]:
    return {position + 1: mark for position, mark in marks.items()}


def _mask(case: Case, array: Side, mask: Side) -> Conflict | None:
    for axis in range(min(array.ndim, mask.ndim)):
        if array.sizes[axis] != mask.sizes[axis]:
            both = both_are(array, axis, mask, axis)
            mark = Mark(frozenset({axis}), f"must be {array.sizes[axis]}")
            return Conflict(case.ways(both), (array, mask), {1: mark})
    return None


def shapes_said(message: str) -> list[tuple[int, ...]]:
    """The shapes that a message of NumPy's names, in its order."""
    return [_sizes(text) for text in re.findall(r"\((\d*(?:,\d+)*,?)\)", message) if text]


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(int(n) for n in text.split(",") if n)


_ROOM = re.compile(
    r"could not broadcast input array from shape \(([\d,]*)\) into shape \(([\d,]*)\)"
    r"|value array of shape \(([\d,]*)\) could not be broadcast to indexing result of shape "
    r"\(([\d,]*)\)"
    r"|cannot assign (\d+) input values to the (\d+) output values"
)


def _store(case: Case) -> Conflict | None:
    """A value into a part of an array: NumPy says how large the part is."""
    if case.failure.message.startswith("setting an array element with a sequence"):
        return _one_element(case)
    room = _ROOM.search(case.failure.message)
    said = shapes_said(case.failure.message)
    if room is not None:
        given, free = (g for g in room.groups() if g is not None)
        values, part = _sizes(given), _sizes(free)
    elif case.site.kind.startswith("inplace:") and len(said) > 1:
        part, values = said[:2]
    else:
        return _getitem(case)
    target = next((s for s in case.sides if s.operand and s.operand.role == "0"), None)
    value = next((s for s in case.sides if s.operand and s.operand.role == "value"), None)
    if target is None:
        return None
    whole = name_at(case.trace, target_span(case.trace, case.site), 40)
    into = Side(whole, case.site.span, None, ArrayType(target.type.element, part))
    says = f"{whole} has room for {shown(part)}, the value is {shown(values)}"
    sides: tuple[Side, ...] = (into,)
    marks: dict[int, Mark] = {}
    if value is not None:
        sides = (into, value)
        for back in range(1, min(len(part), value.ndim) + 1):
            if part[-back] != value.sizes[-back] and value.sizes[-back] != 1:
                marks = {1: Mark(frozenset({value.ndim - back}), f"must be {part[-back]} or 1")}
                break
    return Conflict((says,), sides, marks)


def _one_element(case: Case) -> Conflict | None:
    """An array into a single element."""
    value = next((s for s in case.sides if s.operand and s.operand.role == "value"), None)
    if value is None or not value.ndim:
        return None
    whole = name_at(case.trace, target_span(case.trace, case.site), 40)
    says = f"{whole} is one element, the value is {shown(value.sizes)}"
    return Conflict((says,), case.sides)


def target_span(trace: Trace, site: Site) -> Span:
    """What a store writes to, ``x[i]``; the site of an augmented assignment has its value too."""
    source = trace.sources[site.span.path]
    for node in enclosing(source, site.span):
        if isinstance(node, ast.AugAssign) and span_of(source, node) == site.span:
            return span_of(source, node.target)
    return site.span


def _count(n: int, what: str) -> str:
    many = "axes" if what == "axis" else what + "s"
    return f"{n} {what if n == 1 else many}"


_ACCOUNTS: Mapping[str, Callable[[Case], Conflict | None]] = {
    "matmul": _matmul,
    "dot": _dot,
    "vdot": _dot,
    "inner": _dot,
    "tensordot": _tensordot,
    "einsum": _einsum,
    "linalg.solve": _solve,
    "linalg.lstsq": _lstsq,
    "linalg.inv": _square,
    "linalg.det": _square,
    "linalg.slogdet": _square,
    "linalg.cholesky": _square,
    "linalg.eig": _square,
    "linalg.eigh": _square,
    "linalg.eigvals": _square,
    "linalg.eigvalsh": _square,
    "linalg.matrix_power": _square,
    **dict.fromkeys(
        ("concatenate", "stack", "vstack", "hstack", "dstack", "column_stack", "append"), _join
    ),
    "reshape": _reshape,
    "getitem": _getitem,
    "setitem": _store,
}
