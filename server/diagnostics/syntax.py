"""What rules ask of the text around a place: the tree of an expression, what encloses it, edits."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from ..doc.parsing import parse
from ..doc.source import Source, Span
from ..tracer.trace import Site, Trace

_NEVER_PARENTHESISED = (
    ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.List, ast.ListComp, ast.Constant,
)  # fmt: skip


@lru_cache(maxsize=32)
def tree(text: str) -> ast.Module | None:
    """The tree of a whole file; None where this Python can't parse it."""
    try:
        return parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@lru_cache(maxsize=1024)
def expression(text: str) -> ast.expr | None:
    """The tree of one expression, which may span lines."""
    try:
        return parse(f"({text}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def call_at(trace: Trace, site: Site) -> ast.Call | None:
    """The call that a site is."""
    node = expression(trace.text(site.span)) if site.is_call else None
    return node if isinstance(node, ast.Call) else None


def argument(call: ast.Call | None, position: int | None, name: str = "") -> ast.expr | None:
    """The argument at a position or of a name; None where it isn't given, or may be unpacked."""
    if call is None or any(isinstance(a, ast.Starred) for a in call.args):
        return None
    if position is not None and position < len(call.args):
        return call.args[position]
    return next((k.value for k in call.keywords if name and k.arg == name), None)


def literal(node: ast.expr | None) -> object:
    """The value of an expression that is a literal; None for any other."""
    if node is None:
        return None
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None


def enclosing(source: Source, span: Span) -> list[ast.AST]:
    """The nodes that cover ``span``, innermost first."""
    module = tree(source.text)
    chain: list[ast.AST] = []
    todo: list[ast.AST] = [module] if module else []
    while todo:
        node = todo.pop()
        chain.append(node)
        todo = [
            child
            for child in _placed(node)
            if child.lineno <= span.line  # type: ignore[attr-defined]  # what is placed has lines
            and child.end_lineno >= span.end_line  # type: ignore[attr-defined]
            and covers(span_of(source, child), span)
        ][:1]
    return chain[::-1]


def span_of(source: Source, node: ast.AST) -> Span:
    """Where a node of ``source`` stands."""
    line, end_line = node.lineno, node.end_lineno  # type: ignore[attr-defined]
    return Span(
        source.path,
        line,
        _column(source.line(line), node.col_offset),  # type: ignore[attr-defined]
        end_line,
        _column(source.line(end_line), node.end_col_offset),  # type: ignore[attr-defined]
    )


def target_span(trace: Trace, site: Site) -> Span:
    """What a store writes to, ``x[i]``; the site of an augmented assignment has its value too."""
    source = trace.sources[site.span.path]
    for node in enclosing(source, site.span):
        if isinstance(node, ast.AugAssign) and span_of(source, node) == site.span:
            return span_of(source, node.target)
    return site.span


def covers(outer: Span, inner: Span) -> bool:
    """Whether ``inner`` lies within ``outer``."""
    begins = (outer.line, outer.column) <= (inner.line, inner.column)
    ends = (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
    return outer.path == inner.path and begins and ends


def primary(text: str) -> str:
    """The text of an expression such that ``.T`` or ``[0]`` may stand right behind it."""
    node = expression(text)
    plain = isinstance(node, _NEVER_PARENTHESISED) or _enclosed(text)
    number = isinstance(node, ast.Constant) and not isinstance(node.value, str)
    return f"({text})" if number or not plain else text


def behind(trace: Trace, span: Span, suffix: str) -> tuple[Span, str]:
    """What to put where, so that ``suffix`` stands behind the expression at ``span``."""
    line = trace.sources[span.path].line(span.line)
    before, after = line[: span.column].rstrip(), line[span.end_column :].lstrip()
    text = trace.text(span)
    grouped = before.endswith("(") and after.startswith(")") and span.line == span.end_line
    outside = before[:-1].rstrip()
    if not grouped or outside[-1:].isalnum() or outside[-1:] in ("_", ")", "]"):
        return span, primary(text) + suffix
    end = line.index(")", span.end_column) + 1
    return Span(span.path, span.line, len(before) - 1, span.line, end), f"({text}){suffix}"


def replaced(trace: Trace, whole: Span, part: Span, new: str) -> str:
    """The text at ``whole``, on one line, with what stands at ``part`` of it replaced."""
    head = Span(whole.path, whole.line, whole.column, part.line, part.column)
    tail = Span(whole.path, part.end_line, part.end_column, whole.end_line, whole.end_column)
    return " ".join((trace.text(head) + new + trace.text(tail)).split())


def operand(text: str) -> str:
    """The text of an expression such that an operator of any precedence may stand beside it."""
    node = expression(text)
    bare = isinstance(node, _NEVER_PARENTHESISED) or _enclosed(text)
    return text if bare else f"({text})"


def joined(left: str, sign: str, right: str) -> str:
    """``left sign right``, with parentheses where they are needed."""
    whole = expression(f"{left} {sign} {right}")
    alone = expression(right)
    same = isinstance(whole, ast.BinOp) and alone and ast.dump(whole.right) == ast.dump(alone)
    return f"{left} {sign} {right}" if same else f"{left} {sign} ({right})"


def without_keyword(text: str, name: str) -> str | None:
    """A call without one of its keyword arguments; None where it has none of that name."""
    call = expression(text)
    if not isinstance(call, ast.Call) or not any(k.arg == name for k in call.keywords):
        return None
    call = ast.Call(call.func, call.args, [k for k in call.keywords if k.arg != name])
    return ast.unparse(call)


def line_start(trace: Trace, span: Span) -> Span:
    """The empty place ahead of the line where ``span`` begins."""
    return Span(span.path, span.line, 0, span.line, 0)


def numpy_name(trace: Trace) -> str:
    """What the program calls NumPy: ``np`` most often."""
    source = trace.sources.get(trace.path)
    module = tree(source.text) if source else None
    for node in ast.walk(module) if module else ():
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "numpy":
                    return alias.asname or "numpy"
    return "np"


def _enclosed(text: str) -> bool:
    """Whether one pair of parentheses holds all of ``text``."""
    if not (text.startswith("(") and text.endswith(")")):
        return False
    try:
        parse(text[1:-1].strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _placed(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes with a place right below ``node``."""
    for child in ast.iter_child_nodes(node):
        if hasattr(child, "lineno"):
            yield child
        else:
            yield from _placed(child)


def _column(line: str, column: int) -> int:
    return column if line.isascii() else len(line.encode()[:column].decode(errors="replace"))
