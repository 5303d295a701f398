"""Ways out of a shape conflict, each tried on the sizes before it is offered."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from math import prod

from ..doc.source import Span
from ..ir import shapes
from ..tracer.operations import symbol_of
from ..tracer.trace import Array, Event, Trace
from . import ops
from .model import Edit, Fix
from .shape_case import Case, Conflict, Side
from .syntax import behind, covers, expression, numpy_name, replaced


def fixes(case: Case, conflict: Conflict) -> tuple[Fix, ...]:
    """The ways out that make the operation work, the likeliest first."""
    if case.name in ("matmul", "dot"):
        return tuple(_product(case))
    if case.name == "reshape":
        return tuple(_reshape(case))
    if case.name == "einsum":
        return tuple(_einsum(case))
    if case.name == "concatenate":
        return tuple(_join(case))
    if case.name == "getitem":
        return tuple(_pairs(case, conflict))
    if (case.op is not None and case.op.fusible) or case.site.kind.startswith("inplace:"):
        return tuple(_elementwise(case, conflict))
    return ()


def _product(case: Case) -> Iterator[Fix]:
    a, b = case.sides
    for side in (b, a):
        swapped = _reshaped_swapped(case, side)
        if swapped is not None and _multiplies(case, side, side.sizes[::-1]):
            yield swapped
    for side in (b, a):
        if side.ndim >= 2 and _multiplies(case, side, (*side.sizes[:-2], *side.sizes[:-3:-1])):
            turned = ".T" if side.ndim == 2 else ".swapaxes(-1, -2)"
            yield _behind(case, side, turned)


def _multiplies(case: Case, side: Side, sizes: tuple[int, ...]) -> bool:
    a, b = (sizes if s is side else s.sizes for s in case.sides)
    try:
        shapes.matmul(a, b)
    except shapes.ShapeError:
        return False
    return True


def _reshaped_swapped(case: Case, side: Side) -> Fix | None:
    """``reshape(4, 3)`` where the array was made by ``reshape(3, 4)``."""
    made = side.value.made if isinstance(side.value, Array) else None
    if made is None or not made.site.is_call or side.ndim != 2:
        return None
    if ops.name(made) != "reshape":
        return None
    call = expression(text := case.trace.text(made.site.span))
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    sizes = call.args if made.operand("self") is not None else call.args[1:]
    if len(sizes) == 1 and isinstance(sizes[0], ast.Tuple):
        sizes = sizes[0].elts
    if len(sizes) != 2 or any(isinstance(s, ast.Starred) for s in sizes) or call.keywords:
        return None
    first, second = ast.unparse(sizes[0]), ast.unparse(sizes[1])
    shown = f"{ast.unparse(call.func)}({second}, {first}), in line {made.site.span.line}"
    if text.count("\n"):
        return Fix(shown)
    source = case.trace.sources[made.site.span.path]
    spans = [_inside(made, size) for size in sizes]
    edits = (Edit(spans[0], source.at(spans[1])), Edit(spans[1], source.at(spans[0])))
    return Fix(shown, edits)


def _inside(made: Event, node: ast.expr) -> Span:
    """Where a node of a one-line site stands in the file; it was parsed behind a ``(``."""
    at = made.site.span
    start, end = node.col_offset - 1, (node.end_col_offset or 1) - 1
    return Span(at.path, at.line, at.column + start, at.line, at.column + end)


def _elementwise(case: Case, conflict: Conflict) -> Iterator[Fix]:
    for side in sorted(case.sides, key=lambda s: s.ndim):
        rest = [s.sizes for s in case.sides if s is not side]
        if not rest or side.operand is None:
            continue
        reduced = keepdims(case, side)
        for axis in range(side.ndim + 1):
            if reduced is None or not _broadcasts([*rest, _opened(side.sizes, axis)], case):
                continue
            yield reduced
            return
        for index, sizes in _indexed(side, max(map(len, rest))):
            if _broadcasts([*rest, sizes], case):
                yield _behind(case, side, index)
                return
        if side.ndim == 2 and _broadcasts([*rest, side.sizes[::-1]], case):
            yield _behind(case, side, ".T")
            return


def keepdims(case: Case, side: Side) -> Fix | None:
    """``keepdims=True`` for an operand that is a reduction over an axis."""
    made = side.value.made if isinstance(side.value, Array) else None
    if made is None or made.site.span != side.span:
        return None
    return kept(case.trace, case.site.span, made)


def kept(trace: Trace, whole: Span, made: Event) -> Fix | None:
    """An operation with ``keepdims=True`` in a reduction there; None for other calls."""
    text = trace.text(made.site.span)
    known, call = ops.info(made), expression(text)
    if known is None or "keepdims" not in known.parameters or not isinstance(call, ast.Call):
        return None
    if any(k.arg in ("keepdims", None) for k in call.keywords):
        return None
    end = made.site.span
    at = Span(end.path, end.end_line, end.end_column - 1, end.end_line, end.end_column - 1)
    comma = "" if text[:-1].rstrip().endswith((",", "(")) else ", "
    new = f"{text[:-1]}{comma}keepdims=True)"
    shown = title(trace, whole, made.site.span, new)
    return Fix(shown, (Edit(at, f"{comma}keepdims=True"),))


def _indexed(side: Side, ndim: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Indices that might make a vector fit: new axes behind it, or a column's only one gone."""
    if side.ndim == 1:
        for more in range(1, ndim):
            yield f"[:{', None' * more}]", side.sizes + (1,) * more
    if side.ndim == 2 and side.sizes[1] == 1:
        yield "[:, 0]", side.sizes[:1]


def _opened(sizes: tuple[int, ...], axis: int) -> tuple[int, ...]:
    return (*sizes[:axis], 1, *sizes[axis:])


def _broadcasts(sizes: list[tuple[int, ...]], case: Case) -> bool:
    try:
        result = shapes.broadcast(*sizes)
    except shapes.ShapeError:
        return False
    if not case.site.kind.startswith("inplace:"):
        return True
    return result == case.sides[0].sizes and case.sides[0].sizes in sizes


def _behind(case: Case, side: Side, suffix: str) -> Fix:
    """The operation with ``suffix`` behind one of its operands."""
    at, new = behind(case.trace, side.span, suffix)
    return Fix(title(case.trace, case.site.span, at, new), (Edit(at, new),))


def title(trace: Trace, whole: Span, part: Span, new: str) -> str:
    """An operation with a part of it replaced; the part alone where that is clearer."""
    text = replaced(trace, whole, part, new)
    return text if covers(whole, part) and len(text) <= 68 else " ".join(new.split())


def _join(case: Case) -> Iterator[Fix]:
    sizes = {side.sizes for side in case.sides}
    if len({len(s) for s in sizes}) != 1 or case.call is None or case.call.keywords:
        return
    ndim, span = len(next(iter(sizes))), case.site.span
    word = "dim" if symbol_of(case.event).namespace == "torch" else "axis"
    for axis in range(1, ndim):
        if len({s[:axis] + s[axis + 1 :] for s in sizes}) == 1:
            end = Span(span.path, span.end_line, span.end_column - 1, span.end_line,
                       span.end_column - 1)  # fmt: skip
            new = f"{case.trace.text(span)[:-1]}, {word}={axis})"
            yield Fix(title(case.trace, span, span, new), (Edit(end, f", {word}={axis}"),))
            return


def _pairs(case: Case, conflict: Conflict) -> Iterator[Fix]:
    """``x[np.ix_(rows, columns)]`` for lists that were to be crossed, not paired."""
    array, *indices = conflict.sides
    named = all(side.ndim == 1 and side.type.element != "bool" for side in indices)
    given = sum(o.role == "index" for o in case.site.operands)
    if named and len(indices) == given == array.ndim > 1:
        inside = ", ".join(case.trace.text(side.span) for side in indices)
        new = f"{case.trace.text(array.span)}[{numpy_name(case.trace)}.ix_({inside})]"
        yield Fix(new, (Edit(case.site.span, new),))


def _reshape(case: Case) -> Iterator[Fix]:
    if case.call is None or not case.sides:
        return
    method = case.site.operands[0].role == "self"
    given = case.call.args if method else case.call.args[1:]
    if len(given) == 1 and isinstance(given[0], ast.Tuple):
        given = given[0].elts
    texts = [ast.unparse(g) for g in given]
    count = case.sides[0].type.size or 0
    sizes = [g.value if isinstance(g, ast.Constant) else None for g in given]
    for i in range(len(given)):
        rest = [size for at, size in enumerate(sizes) if at != i]
        known = [size for size in rest if isinstance(size, int) and size > 0]
        if rest and len(known) == len(rest) and count % prod(known) == 0:
            texts[i] = "-1"
            yield Fix(f"reshape({', '.join(texts)}) has the right number of elements, {count:,}")
            return


def _einsum(case: Case) -> Iterator[Fix]:
    subscripts = case.constant("subscripts")
    if not isinstance(subscripts, str):
        return
    left, arrow, right = subscripts.partition("->")
    terms = left.split(",")
    for i, term in enumerate(terms):
        turned = [*terms[:i], term.strip()[::-1], *terms[i + 1 :]]
        if len(term.strip()) == 2 and _agrees(turned, case):
            new = f'"{",".join(turned)}{arrow}{right}"'
            where = case.site.operands[0].span
            yield Fix(case.text.replace(case.trace.text(where), new), (Edit(where, new),))
            return


def _agrees(terms: list[str], case: Case) -> bool:
    sizes: dict[str, int] = {}
    for term, side in zip(terms, case.sides, strict=True):
        for letter, size in zip(term.strip(), side.sizes, strict=False):
            if sizes.setdefault(letter, size) != size:
                return False
    return True
