"""Arrays that are asked whether they are true.

## What it does
Explains the exception that NumPy raises where an array of several elements (or of none) stands in
for one yes or no: in ``if``, ``while``, ``assert``, ``and``, ``or``, ``not``, a conditional
expression, the filter of a comprehension, a chained comparison, ``in`` on a list of arrays, or
``max(a, b)``.

## Why it is bad
The script ended there. A comparison of arrays has one answer for each element; which of them counts
has to be said: ``.any()``, ``.all()``, or each for itself with ``&``, ``|``, ``~`` and
``np.where``.

## Example
```python
import numpy as np

speed = np.array([3.0, 12.0, 7.0])
if speed > 10:
    speed = np.minimum(speed, 10)
```

## Use instead
```python
import numpy as np

speed = np.array([3.0, 12.0, 7.0])
if (speed > 10).any():
    speed = np.minimum(speed, 10)
```

## When to ignore
When the exception is the point of the script. One that the script catches is not reported.

## References
- NumPy, truth value of an array:
  https://numpy.org/doc/stable/reference/generated/numpy.ndarray.any.html
- Python, Truth value testing: https://docs.python.org/3/library/stdtypes.html#truth-value-testing
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ...doc.source import Source, Span
from ...tracer.trace import Array, Failure, Pack, Trace, Value
from ..describe import calls_to, fitting, name_at, origin, row, shortened, type_of
from ..known import value_at
from ..model import Edit, Finding, Fix, Severity
from ..syntax import enclosing, numpy_name, operand, span_of

SEVERITY = Severity.ERROR

_STATEMENTS = (ast.If, ast.While, ast.Assert, ast.IfExp)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True, slots=True)
class _Question:
    """Who asked for a truth value: the construct, and the expression that was asked."""

    word: str
    asker: ast.AST
    asked: ast.expr | None
    statement: ast.AST | None = None
    """The ``if`` or the like that asks for the whole, where ``asker`` is only a part of it."""


def explain(trace: Trace, failure: Failure) -> Finding | None:
    """Which array was asked, and by what."""
    message, at = failure.message, failure.span
    if failure.type != "ValueError" or "truth value of an" not in message or at is None:
        return None
    source = trace.sources.get(at.path)
    if source is None or "array" not in message:
        return None
    question = _of_an_array(trace, failure, source, _question(trace, source, at))
    asked = question.asked
    span = at if asked is None else span_of(source, asked)
    needs = f"{question.word} needs one yes or no"
    compared, count = _compared(trace, failure, source, question, span)
    says = [
        f"{needs}, {shortened(compared, most)} {count}" for most in (60, 40, 32, 28, 24, 20, 16)
    ]
    names = _parts(source, asked) if asked is not None else []
    rows = [
        found
        for part in [span, *names]
        if (found := row(name_at(trace, part), value_at(trace, failure, part))) is not None
    ]
    labels = (
        origin(trace, trace.text(part), value_at(trace, failure, part), other_than=span)
        for part in names
    )
    return Finding(
        code="ambiguous-truth",
        severity=SEVERITY,
        headline=fitting("error", "ambiguous-truth", says),
        span=_shown(source, question, span),
        labels=tuple(label for label in labels if label is not None),
        operands=tuple(dict.fromkeys(rows)),
        fixes=tuple(_fixes(trace, failure, source, question)),
        call_path=calls_to(failure),
    )


def _question(trace: Trace, source: Source, at: Span) -> _Question:
    """Who asked. Python's versions differ in what they point at: the asker, or the asked."""
    chain = enclosing(source, at)
    for i, node in enumerate(chain[:2]):
        found = _asks(node, None if i == 0 else chain[0])
        if found is not None:
            statement = next(
                (n for n in chain[i + 1 : i + 3] if getattr(n, "test", None) is node), None
            )
            return _Question(found.word, found.asker, found.asked, found.statement or statement)
    call = chain[0] if chain and isinstance(chain[0], ast.Call) else None
    word = f"{shortened(ast.unparse(call.func), 20)}()" if call is not None else "this"
    return _Question(word, chain[0], call)


def _of_an_array(trace: Trace, failure: Failure, source: Source, question: _Question) -> _Question:
    """The same, with another operand of ``and`` or ``or`` asked where the one can't be at fault:
    the place that Python points at in the test of a loop is not always that of the operand."""
    if not isinstance(question.asker, ast.BoolOp) or question.asked is None:
        return question
    arrays = [
        value
        for value in question.asker.values
        if (kind := type_of(value_at(trace, failure, span_of(source, value)))) and kind.ndim
    ]
    if not arrays or question.asked in arrays:
        return question
    return replace(question, asked=arrays[0])


def _asks(node: ast.AST, inside: ast.AST | None) -> _Question | None:
    match node:
        case ast.If() | ast.While() | ast.Assert() | ast.IfExp():
            inner = _asks(node.test, inside)
            if inner is not None and inner.word not in ("'in'", "max()", "min()"):
                return _Question(inner.word, inner.asker, inner.asked, node)
            words = {ast.While: "'while'", ast.Assert: "'assert'"}
            return _Question(words.get(type(node), "'if'"), node, node.test)
        case ast.BoolOp(op, values):
            word = "'and'" if isinstance(op, ast.And) else "'or'"
            asked = inside if inside in values else values[0]
            return _Question(word, node, asked)
        case ast.UnaryOp(ast.Not(), asked):
            return _Question("'not'", node, asked)
        case ast.Compare(_, [ast.In() | ast.NotIn()], [_]):
            return _Question("'in'", node, node)
        case ast.Compare(_, [_, _, *_]):
            return _Question("a chained comparison", node, node)
        case ast.Call(ast.Name("bool"), [asked]):
            return _Question("bool()", node, asked)
        case ast.Call(ast.Name("max" | "min" | "sorted" | "any" | "all" as name)):
            return _Question(f"{name}()", node, node)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            filters = [test for g in node.generators for test in g.ifs]
            if filters:
                asked = inside if inside in filters else filters[0]
                return _Question("'if'", node, asked)
    return None


def _shown(source: Source, question: _Question, span: Span) -> Span:
    """What gets the squiggle: the whole construct where it is short, else what was asked."""
    if isinstance(question.asker, ast.BoolOp | ast.UnaryOp | ast.Compare | ast.Call | ast.IfExp):
        return span_of(source, question.asker)
    return span


def _compared(
    trace: Trace, failure: Failure, source: Source, question: _Question, span: Span
) -> tuple[str, str]:
    """What was asked, and how many answers it had."""

    def value(node: ast.AST) -> Value:
        return value_at(trace, failure, span_of(source, node))

    def text(node: ast.AST) -> str:
        return " ".join(source.at(span_of(source, node)).split())

    match question.asked:
        case ast.Compare(left, [ast.In() | ast.NotIn()], [_]):
            return f"{text(left)} == item", f"has {_number([value(left)], failure)}"
        case ast.Compare(left, ops, comparators) if len(ops) > 1:
            pairs = list(zip([left, *comparators], comparators, strict=False))
            a, b = next((p for p in pairs if _arrays(map(value, p))), pairs[0])
            both = ast.unparse(ast.Compare(a, [ops[pairs.index((a, b))]], [b]))
            return both, f"has {_number([value(a), value(b)], failure)}"
        case ast.Call(ast.Name(called), [a, b]):
            sign = ">" if called == "max" else "<"
            found = _number([value(a), value(b)], failure)
            return f"{text(b)} {sign} {text(a)}", f"has {found}"
        case ast.Call(ast.Name("any" | "all"), [listed]):
            return f"a row of {text(listed)}", f"has {_number(_rows(value(listed)), failure)}"
        case ast.Call(ast.Name("max" | "min" | "sorted" as called), [listed]):
            sign = ">" if called == "max" else "<"
            return f"row {sign} row", f"has {_number(_rows(value(listed)), failure)}"
        case ast.Call() if question.asked is question.asker:
            return "a comparison", f"has {_number([], failure)}"
    name = " ".join(trace.text(span).split())
    return name, f"has {_number([value_at(trace, failure, span)], failure)}"


def _number(values: Iterable[Value], failure: Failure) -> str:
    """How many answers a comparison of these values has."""
    if "empty" in failure.message:
        return "none"
    found = [v.type.size or 0 for v in _arrays(values) if v.type is not None]
    return f"{max(found):,}" if found else "several"


def _rows(value: Value) -> list[Value]:
    """What a loop over a value gets, as far as one can stand for all."""
    if isinstance(value, Pack):
        return list(value.items)
    kind = type_of(value)
    if kind is None or kind.ndim < 2:
        return []
    return [Array(0, kind.with_(sizes=kind.sizes[1:], strides=None))]


def _arrays(values: Iterable[Value]) -> list[Array]:
    return [v for v in values if isinstance(v, Array)]


def _parts(source: Source, asked: ast.expr) -> list[Span]:
    """The names in an expression, each once."""
    spans: dict[str, Span] = {}
    for node in ast.walk(asked):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            spans.setdefault(ast.unparse(node), span_of(source, node))
    return sorted(spans.values())


# ---------------------------------------------------------------------- ways out


def _fixes(trace: Trace, failure: Failure, source: Source, question: _Question) -> Iterator[Fix]:
    np, asker = numpy_name(trace), question.asker

    def text(node: ast.AST) -> str:
        return source.at(span_of(source, node))

    def instead(new: str) -> Fix:
        return Fix(new, (Edit(span_of(source, asker), new),))

    def elementwise(node: ast.expr) -> bool:
        """Whether it gives booleans for each element, as far as was seen and as it looks."""
        value = value_at(trace, failure, span_of(source, node))
        return _is_bool(value) or (value is None and isinstance(node, ast.Compare))

    match asker:
        case ast.BoolOp(ast.Or(), [ast.Name(name), default]) if question.statement is None:
            if not _is_bool(value_at(trace, failure, span_of(source, asker.values[0]))):
                yield instead(f"{text(default)} if {name} is None else {name}")
                return
            yield instead(f"{name} | {operand(text(default))}")
        case ast.BoolOp(op, values) if all(map(elementwise, values)):
            sign = " & " if isinstance(op, ast.And) else " | "
            new = sign.join(operand(text(v)) for v in values)
            yield from _reduced(new, instead(new), question)
        case ast.BoolOp():
            if question.asked is not None:
                yield Fix(f"{operand(text(question.asked))}.any()  # or .all()")
        case ast.UnaryOp(ast.Not(), asked):
            new = f"~{operand(text(asked))}"
            if question.statement is not None:
                yield Fix(f"not {operand(text(asked))}.any()")
            elif _is_bool(value_at(trace, failure, span_of(source, asked))):
                yield instead(new)
        case ast.Compare(_, [ast.In()], [listed]):
            item = text(asker.left)
            yield instead(f"any({np}.array_equal({item}, item) for item in {text(listed)})")
        case ast.Compare(left, [_, *_], [*_, _]) if len(asker.ops) > 1:
            sides = [left, *asker.comparators]
            pairs = [
                f"({ast.unparse(ast.Compare(a, [op], [b]))})"
                for a, op, b in zip(sides, asker.ops, sides[1:], strict=False)
            ]
            new = " & ".join(pairs)
            yield from _reduced(new, instead(new), question)
        case ast.Call(ast.Name("bool"), [asked]):
            yield Fix(f"{operand(text(asked))}.any()  # or .all()")
        case ast.Call(ast.Name("any" | "all" | "max" | "min" as name), [_]) if not asker.keywords:
            yield instead(f"{np}.{name}({text(asker.args[0])})")
        case ast.Call(ast.Name("max" | "min" as name), [_, _]) if not asker.keywords:
            both = ", ".join(map(text, asker.args))
            yield instead(f"{np}.{name}imum({both})")
        case ast.IfExp(test, body, orelse):
            yield instead(f"{np}.where({text(test)}, {text(body)}, {text(orelse)})")
        case ast.Assert(ast.Compare(left, [ast.Eq()], [right])):
            new = f"{np}.array_equal({text(left)}, {text(right)})"
            yield Fix(f"assert {new}", (Edit(span_of(source, asker.test), new),))
        case ast.Assert():
            new = f"{operand(text(asker.test))}.all()"
            yield Fix(f"assert {new}", (Edit(span_of(source, asker.test), new),))
        case ast.If() | ast.While():
            word = "while" if isinstance(asker, ast.While) else "if"
            yield Fix(f"{word} {operand(text(asker.test))}.any():  # or .all()")
        case _ if question.asked is not None and isinstance(asker, _COMPREHENSIONS):
            yield Fix(f"if {operand(text(question.asked))}.all()  # or .any()")


def _reduced(new: str, plain: Fix, question: _Question) -> Iterator[Fix]:
    """Elements combined; and reduced to one, where one is needed."""
    if question.statement is None:
        yield plain
    else:
        yield Fix(f"({new}).any()  # or .all()")


def _is_bool(value: Value) -> bool:
    return isinstance(value, Array) and value.type is not None and value.type.element == "bool"
