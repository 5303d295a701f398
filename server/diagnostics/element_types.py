"""Element types that an operation of NumPy's can do nothing with: who holds them, and a way out.

NumPy says which function it was and little more. Each account here has one of its messages, finds
the operand that it is about, and says what the operation needs instead.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..doc.source import Span
from ..ir import ArrayType
from ..tracer.trace import Constant, Failure, Site, Trace, Value
from . import ops
from .describe import name_at, type_of
from .model import Edit, Fix
from .shape_fixes import title
from .syntax import behind, call_at, enclosing, expression, numpy_name, span_of


@dataclass(frozen=True, slots=True)
class Side:
    """One operand, by what the program calls it. ``element`` is its element type, ``float`` for a
    Python number."""

    role: str
    name: str
    span: Span
    value: Value
    element: str


@dataclass(frozen=True, slots=True)
class Mismatch:
    """``odd`` can't be what it is: ``fact`` says so, and ``note`` what it must be."""

    fact: str
    sides: tuple[Side, ...]
    odd: Side | None = None
    note: str = ""
    fixes: tuple[Fix, ...] = ()
    whole: Span | None = None
    """Where it is about more than the operation that failed."""


_Account = Callable[[Trace, Failure, Site, Sequence[Side], re.Match[str]], Mismatch | None]


def mismatch(trace: Trace, failure: Failure) -> Mismatch | None:
    """What element types have to do with a failure; None where nothing, as far as is sure."""
    site = failure.site
    if site is None or failure.type not in _RAISED:
        return None
    sides = tuple(_sides(trace, failure))
    if any(side.element == "object" for side in sides):
        return None  # what the objects are is not known
    for pattern, account in _ACCOUNTS:
        said = re.search(pattern, failure.message)
        if said is not None:
            return account(trace, failure, site, sides, said)
    return None


def _index(
    trace: Trace, failure: Failure, site: Site, sides: Sequence[Side], said: re.Match[str]
) -> Mismatch | None:
    """Elements are selected by whole numbers and truth values."""
    odd = next((s for s in sides if s.role not in ("0", "self", "value") and _is_float(s)), None)
    if odd is None:
        return _divided_index(trace, site, sides)
    fixes = [_behind(trace, site, odd, ".astype(int)")]
    if not _shaped(odd):
        fixes = list(_whole(trace, site, odd))
    fact = f"{odd.name} {_holds(odd)}, an index must be whole"
    beside = tuple(s for s in sides if s.role in ("0", "self"))
    return Mismatch(fact, (*beside, odd), odd, "must be whole numbers", tuple(fixes))


def _divided_index(trace: Trace, site: Site, sides: Sequence[Side]) -> Mismatch | None:
    """An index that is no value of an array library's: what the text shows is a division."""
    node = expression(trace.text(site.span))
    divided = (
        [n for n in _items(node.slice) if _floor(n)] if isinstance(node, ast.Subscript) else []
    )
    if len(divided) != 1:
        return None
    return _division(trace, site, divided[0], "an index", sides[:1])


def _division(
    trace: Trace, site: Site, node: ast.expr, what: str, sides: Sequence[Side] = ()
) -> Mismatch:
    """``n / 2`` where a whole number is needed."""
    text, new = ast.unparse(node), _floor(node)
    fix = Fix(f"{new} in place of {text}", _edits_of(trace, site.span, node, new))
    return Mismatch(f"{text} is a float, {what} must be whole", tuple(sides), fixes=(fix,))


def _slice(
    trace: Trace, failure: Failure, site: Site, sides: Sequence[Side], said: re.Match[str]
) -> Mismatch | None:
    """A slice has whole numbers; what it has is known from the text alone."""
    node = expression(trace.text(site.span))
    inner = node.slice if isinstance(node, ast.Subscript) else None
    parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    bounds = [p for s in parts if isinstance(s, ast.Slice) for p in (s.lower, s.upper, s.step)]
    odd = [b for b in bounds if b is not None and not isinstance(b, ast.Constant)]
    if len(odd) != 1:
        return Mismatch("the bounds of a slice must be whole", tuple(sides[:1]))
    if _floor(odd[0]):
        return _division(trace, site, odd[0], "a bound", sides[:1])
    text = ast.unparse(odd[0])
    new = f"int({text})"
    return Mismatch(
        f"{text} is no whole number, a slice needs one",
        tuple(sides[:1]),
        fixes=(Fix(f"{new} in place of {text}", _edits_of(trace, site.span, odd[0], new)),),
    )


def _sizes(
    trace: Trace, failure: Failure, site: Site, sides: Sequence[Side], said: re.Match[str]
) -> Mismatch | None:
    """The sizes of arrays are whole numbers."""
    call = call_at(trace, site)
    if call is None or not _is_numpys(trace, site):
        return None
    divided = [n for a in call.args for n in _items(a) if _floor(n)]
    floats = [s for s in sides if _is_float(s) and not _shaped(s)]
    if len(divided) == 1:
        return _division(trace, site, divided[0], "a size")
    if len(floats) == 1:
        (odd,) = floats
        fact = f"{odd.name} {_holds(odd)}, a size must be whole"
        return Mismatch(fact, (), fixes=tuple(_whole(trace, site, odd)))
    return Mismatch("a size must be a whole number", ())


def _bits(
    trace: Trace, failure: Failure, site: Site, sides: Sequence[Side], said: re.Match[str]
) -> Mismatch | None:
    """``&``, ``|``, ``^`` and ``~`` combine bits, so there must be some."""
    sign = _BITS[said[1]]
    compared = _beside_comparison(trace, site)
    if compared is not None and sign in "&|^":
        whole, new = compared
        fact = f"{sign} comes before the comparisons"
        fixes = (Fix(new, (Edit(whole, new),)),)
        return Mismatch(fact, tuple(sides), fixes=fixes, whole=whole)
    odd = next((s for s in sides if s.element[:1] in "fcbsdt" and s.element != "bool"), None)
    if odd is None:
        return None
    fact = f"{odd.name} {_holds(odd)}, {sign} needs truth values or whole numbers"
    fix = _behind(trace, site, odd, ".astype(bool)")
    whole_array = _is_float(odd) and _shaped(odd)
    return Mismatch(fact, tuple(sides), odd, "must be bool", (fix,) if whole_array else ())


def _booleans(
    trace: Trace, failure: Failure, site: Site, sides: Sequence[Side], said: re.Match[str]
) -> Mismatch | None:
    """There is no minus for truth values."""
    masks = [s for s in sides if s.element == "bool"]
    if not masks:
        return None
    texts = [trace.text(o.span) for o in site.operands]
    if said[1] == "negative":
        fact = f"{masks[0].name} holds truth values, they are inverted by ~"
        new = f"~{texts[-1]}"
    else:
        fact = "truth values have no minus; ^ tells where they differ"
        new = f"{texts[0]} ^ {texts[-1]}" if len(texts) == 2 else ""
    written = site.kind.startswith(("unary:", "binary:")) and expression(new) is not None
    fixes = (Fix(new, (Edit(site.span, new),)),) if written else ()
    return Mismatch(fact, tuple(sides), fixes=fixes)


def _no_numbers(
    trace: Trace, failure: Failure, site: Site, sides: Sequence[Side], said: re.Match[str]
) -> Mismatch | None:
    """Text, dates or records where numbers are needed; complex ones where they have no order."""
    odd = next((s for s in sides if s.element.startswith(("str", "bytes"))), None)
    doing = _doing(trace, site)
    if odd is not None:
        fact = f"{odd.name} holds text ({odd.element}), {doing} needs numbers"
        fix = _behind(trace, site, odd, ".astype(float)")
        return Mismatch(fact, tuple(sides), odd, "must be numbers", (fix,))
    for kind, what in _NO_NUMBERS.items():
        odd = next((s for s in sides if s.element.startswith(kind)), None)
        if odd is not None:
            fact = f"{odd.name} {what.format(doing=doing)}"
            return Mismatch(fact, tuple(sides), odd)
    odd = next((s for s in sides if s.element in ("c64", "c128")), None)
    if odd is None:
        return None
    fact = f"{odd.name} holds complex numbers, {doing} is for real ones"
    return Mismatch(fact, tuple(sides), odd, "must be real")


def _whole_numbers(
    trace: Trace, failure: Failure, site: Site, sides: Sequence[Side], said: re.Match[str]
) -> Mismatch | None:
    """An argument of numbers to count or select by."""
    odd = next((s for s in sides[::-1] if _is_float(s) and _shaped(s)), None)
    if odd is None or not site.is_call or any(o.role == "out" for o in site.operands):
        return None
    fact = f"{odd.name} {_holds(odd)}, whole numbers are needed"
    fix = _behind(trace, site, odd, ".astype(int)")
    return Mismatch(fact, tuple(sides), odd, "must be whole numbers", (fix,))


def _half(
    trace: Trace, failure: Failure, site: Site, sides: Sequence[Side], said: re.Match[str]
) -> Mismatch | None:
    """Linear algebra has no half precision."""
    odd = next((s for s in sides if s.element == "f16"), None)
    if odd is None:
        return None
    fact = f"{odd.name} holds f16, {_doing(trace, site)} needs f32 or f64"
    fix = _behind(trace, site, odd, f".astype({numpy_name(trace)}.float32)")
    return Mismatch(fact, tuple(sides), odd, "must be f32 or f64", (fix,))


_RAISED = frozenset({
    "TypeError", "IndexError", "ValueError", "UFuncTypeError", "_UFuncNoLoopError",
    "_UFuncBinaryResolutionError", "_UFuncInputCastingError", "DTypePromotionError",
})  # fmt: skip
_BITS = {
    "bitwise_and": "&", "bitwise_or": "|", "bitwise_xor": "^", "invert": "~",
    "left_shift": "<<", "right_shift": ">>",
}  # fmt: skip
_NO_NUMBERS = {
    "datetime": "holds dates, which take timedelta64 or whole numbers",
    "timedelta": "holds spans of time, which have no {doing} with this",
    "void": "holds records: {doing} needs one field of them",
}
_ACCOUNTS: tuple[tuple[str, _Account], ...] = (
    (r"arrays used as indices must be of integer|only integers, slices", _index),
    (r"slice indices must be integers", _slice),
    (r"'float\w*' object cannot be interpreted as an integer|expected a sequence of integers or",
     _sizes),
    (rf"ufunc '({'|'.join(_BITS)})' not supported", _bits),
    (r"numpy boolean (subtract|negative)", _booleans),
    (r"array type float16 is unsupported in linalg", _half),
    (r"Cannot cast array data from dtype\('float\d+'\) to dtype\('int\d+'\)", _whole_numbers),
    (r"did not contain a loop with signature matching types|cannot use operands with types"
     r"|not supported for the input types|the resolved dtypes are not compatible"
     r"|could not be promoted|string \w+ ufunc directly|Cannot cast ufunc '\w+' input from",
     _no_numbers),
)  # fmt: skip


def _sides(trace: Trace, failure: Failure) -> Iterator[Side]:
    """The operands whose type is known, in the order of the text."""
    for role, span, value in failure.operands:
        kind = type_of(value)
        name = name_at(trace, span)
        if kind is not None and role != "out":
            yield Side(role, name, span, value, kind.element)
        elif isinstance(value, Constant) and isinstance(value.value, float | complex):
            yield Side(role, name, span, value, type(value.value).__name__)


def _is_float(side: Side) -> bool:
    return side.element in ("float", "f16", "f32", "f64", "f128")


def _shaped(side: Side) -> bool:
    """Whether it is no single number."""
    kind = type_of(side.value)
    return isinstance(kind, ArrayType) and bool(kind.sizes)


def _holds(side: Side) -> str:
    """``holds f64``; ``is 2.5`` for one number."""
    number = getattr(side.value, "value", None)
    if isinstance(number, float):
        return f"is {number:.6g}" if number % 1 else f"is a float, {number:.6g}"
    return f"holds {side.element}"


def _doing(trace: Trace, site: Site) -> str:
    """The operator or the function, as it is written."""
    call = call_at(trace, site)
    if call is None:
        return ops.SIGNS.get(ops.operator(site), "this")
    return f"{ast.unparse(call.func).rpartition('.')[2]}()"


def _is_numpys(trace: Trace, site: Site) -> bool:
    """Whether it is a call of NumPy's, or of a method that may be an array's."""
    return site.callee.startswith(("numpy.", ".")) or bool(site.operands[:1] and
           site.operands[0].role == "self")  # fmt: skip


def _behind(trace: Trace, site: Site, side: Side, suffix: str) -> Fix:
    """Convert an operand where it stands."""
    at, new = behind(trace, side.span, suffix)
    return Fix(title(trace, site.span, at, new), (Edit(at, new),))


def _whole(trace: Trace, site: Site, side: Side) -> Iterator[Fix]:
    """A whole number in place of a float: by a division that gives one, where there is one."""
    text = trace.text(side.span)
    node = expression(text)
    new = (_floor(node) if node is not None else "") or f"int({text})"
    yield Fix(title(trace, site.span, side.span, new), (Edit(side.span, new),))


def _floor(node: ast.expr) -> str:
    """``n // 2`` for ``n / 2``; nothing for what is no division."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
        return ""
    return ast.unparse(ast.BinOp(node.left, ast.FloorDiv(), node.right))


def _items(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple | ast.List) else [node]


def _edits_of(trace: Trace, whole: Span, part: ast.expr, new: str) -> tuple[Edit, ...]:
    """The edit of a part of the expression at ``whole``, found again by its text."""
    source = trace.sources[whole.path]
    around = enclosing(source, whole)[:1]
    found = [n for outer in around for n in ast.walk(outer) if ast.dump(n) == ast.dump(part)]
    return (Edit(span_of(source, found[0]), new),) if len(found) == 1 else ()


def _beside_comparison(trace: Trace, site: Site) -> tuple[Span, str] | None:
    """A comparison with ``a | b`` inside, as in ``x > a | b < y``, and what was meant."""
    source = trace.sources[site.span.path]
    for node in enclosing(source, site.span)[:2]:
        if not isinstance(node, ast.Compare) or len(node.ops) != 2:
            continue
        middle = node.comparators[0]
        if isinstance(middle, ast.BinOp) and span_of(source, middle) == site.span:
            left = ast.Compare(node.left, node.ops[:1], [middle.left])
            right = ast.Compare(middle.right, node.ops[1:], node.comparators[1:])
            new = ast.unparse(ast.BinOp(left, middle.op, right))
            return span_of(source, node), new
    return None
