"""Things set in columns: operands with their shapes, tables, lists, call paths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from .algebra import align, annotate, concat, group, hcat, line, nest, vcat
from .frame import Frame, flat_width, one_line, paragraph, room_left, trimmed
from .layout import layout
from .nodes import Doc
from .source import Span
from .style import Style
from .width import display_width

NAME_ROOM = 24  # longer operand names lose their middle


@dataclass(frozen=True, slots=True)
class Operand:
    """A value in a comparison of shapes: ``f32[batch=64, 784]``.

    ``marked`` are the axes that differ. ``note`` is said of them, or of the value if none is
    marked; ``origin`` says where the value came from.
    """

    name: str
    element: str
    sizes: Sequence[str]
    marked: frozenset[int] = frozenset()
    note: Doc = ""
    origin: Doc = ""

    @property
    def shape(self) -> str:
        """As it is written: ``f32[batch=64, 784]``."""
        return f"{self.element}[{', '.join(self.sizes)}]"


@dataclass(frozen=True, slots=True)
class OperandTable:
    """The part of a message that ``operand_table`` makes."""

    rows: tuple[Operand, ...]
    folds = 4

    def digits(self) -> int:
        """It shows no line numbers."""
        return 1

    def doc(self, frame: Frame, fold: int) -> Doc:
        """Names, shapes and origins in columns, marks below the axes that differ."""
        shown, missing = _folded(self.rows, 4 if fold > 3 else len(self.rows))
        lines = operands(shown, below=fold < 3)
        if missing:
            lines = vcat([lines, _more(missing, "operands")])
        return _set_off(frame, lines, fold)


def operand_table(rows: Iterable[Operand]) -> OperandTable:
    """Shapes one below the other, with ``~~~`` below the axes that differ."""
    return OperandTable(tuple(rows))


def operands(rows: Sequence[Operand], below: bool = True) -> Doc:
    """The lines of ``operand_table`` without a gutter.

    Origins that don't fit beside their shapes stand ``below`` them, or are left out.

    >>> x = Operand("x", "f32", ["batch=64", "784"])
    >>> W1 = Operand("W1", "f32", ["512", "10"], frozenset({0}), "must be 784")
    >>> show(operands([x, W1]), 80)
    x    f32[batch=64, 784]
    W1   f32[512, 10]
             ~~~  must be 784
    """
    if not rows:
        return ""
    names = [trimmed(one_line(row.name), NAME_ROOM) for row in rows]
    return room_left(lambda room: vcat(_operand_rows(rows, names, room, below)))


def _operand_rows(
    rows: Sequence[Operand], names: Sequence[str], room: int, below: bool
) -> list[Doc]:
    name_columns = max(map(display_width, names), default=0) + 3
    shape_columns = max((display_width(row.shape) for row in rows), default=0) + 3
    sides = [row.origin or ("" if row.marked else row.note) for row in rows]
    beside = name_columns + shape_columns + max(map(flat_width, sides), default=0) <= room
    lines: list[Doc] = []
    for row, name, side in zip(rows, names, sides, strict=True):
        head = concat(annotate(Style.NAME, name), " " * (name_columns - display_width(name)))
        shape = _shape(row)
        if side and beside:
            pad = " " * (shape_columns - display_width(row.shape))
            shape = concat(shape, pad, paragraph(side))
        lines.append(concat(head, shape))
        if row.marked:
            lines.append(concat(" " * name_columns, _marks(row, room - name_columns)))
        if side and below and not beside:
            lines.append(concat(" " * (name_columns + 2), align(paragraph(side))))
    return lines


def _shape(row: Operand) -> Doc:
    sizes: list[Doc] = []
    for axis, size in enumerate(row.sizes):
        sizes += [", "] if axis else []
        sizes.append(annotate(Style.MARKED, size) if axis in row.marked else size)
    return annotate(Style.TYPE, row.element, "[", *sizes, "]")


def _marks(row: Operand, room: int) -> Doc:
    marks: list[Doc] = []
    at, column = 0, len(row.element) + 1
    for axis, size in enumerate(row.sizes):
        width = display_width(size)
        if axis in row.marked:
            marks += [" " * (column - at), annotate(Style.MARKED, "~" * width)]
            at = column + width
        column += width + 2
    if not row.note:
        return hcat(marks)
    said = annotate(Style.MARKED, paragraph(row.note))
    if at + 2 + flat_width(row.note) <= room or at + 24 <= room:
        return concat(*marks, "  ", align(said))
    return vcat([hcat(marks), concat("  ", align(said))])


@dataclass(frozen=True, slots=True)
class Table:
    """The part of a message that ``table`` makes."""

    rows: tuple[tuple[Doc, ...], ...]
    header: tuple[Doc, ...]
    most: int
    folds = 1

    def digits(self) -> int:
        """It shows no line numbers."""
        return 1

    def doc(self, frame: Frame, fold: int) -> Doc:
        """Its first rows, and how many more there are."""
        most = 3 if fold else self.most
        shown, missing = _folded(self.rows, most)
        lines = columns([self.header, *shown] if self.header else shown, bool(self.header))
        if missing:
            lines = vcat([lines, _more(missing, "rows")])
        return _set_off(frame, lines, fold)


def table(rows: Iterable[Sequence[Doc]], header: Sequence[Doc] = (), most: int = 8) -> Table:
    """Rows in aligned columns, ``most`` of them at normal verbosity."""
    return Table(tuple(tuple(row) for row in rows), tuple(header), most)


def columns(rows: Sequence[Sequence[Doc]], headed: bool = False) -> Doc:
    """Rows with their cells in columns, numbers to the right.

    >>> show(columns([["loss", "0.25"], ["steps", "1,000"]]), 80)
    loss    0.25
    steps  1,000
    """
    if not rows:
        return ""
    count = max(map(len, rows))
    texts = [[layout(cell).text for cell in row] for row in rows]
    body = texts[1:] if headed else texts
    widths = [max(display_width(row[i]) for row in texts if i < len(row)) for i in range(count)]
    numeric = [all(_is_number(row[i]) for row in body if i < len(row)) for i in range(count)]
    lines = []
    for row, text in zip(rows, texts, strict=True):
        cells: list[Doc] = []
        for i, cell in enumerate(row):
            pad = " " * (widths[i] - display_width(text[i]))
            last = i == len(row) - 1 and not numeric[i]
            cells += [pad, cell] if numeric[i] else [cell, "" if last else pad]
            cells += [] if i == len(row) - 1 else ["  "]
        lines.append(concat(*cells))
    if headed:
        lines[0] = annotate(Style.STRONG, lines[0])
    return vcat(lines)


@dataclass(frozen=True, slots=True)
class Listing:
    """The part of a message that ``listing`` makes."""

    items: tuple[Doc, ...]
    most: int
    folds = 1

    def digits(self) -> int:
        """It shows no line numbers."""
        return 1

    def doc(self, frame: Frame, fold: int) -> Doc:
        """A line for each item, and how many more there are."""
        shown, missing = _folded(self.items, 3 if fold else self.most)
        lines: list[Doc] = [concat("• ", align(paragraph(item))) for item in shown]
        if missing:
            lines.append(_more(missing))
        return _set_off(frame, vcat(lines), fold)


def listing(items: Iterable[Doc], most: int = 8) -> Listing:
    """Items with bullets, ``most`` of them at normal verbosity."""
    return Listing(tuple(items), most)


@dataclass(frozen=True, slots=True)
class Call:
    """One call on the way to the place of a message, and what was called."""

    span: Span
    name: str


@dataclass(frozen=True, slots=True)
class CallPath:
    """The part of a message that ``call_path`` makes."""

    calls: tuple[Call, ...]
    folds = 1

    def digits(self) -> int:
        """It shows no line numbers."""
        return 1

    def doc(self, frame: Frame, fold: int) -> Doc:
        """The outermost call first; the middle is folded."""
        steps: list[Doc] = [
            concat(
                annotate(Style.NAME, one_line(call.name)),
                " at ",
                annotate(Style.PATH, one_line(str(call.span))),
            )
            for call in self.calls
        ]
        if not steps:
            return ""
        most = 2 if fold else 4
        if len(steps) > most + 1:
            missing = len(steps) - most
            dots = _more(missing, "calls")
            steps[most // 2 : len(steps) - most // 2] = [dots]
        path = hcat([steps[0], *(concat(line, "→ ", step) for step in steps[1:])])
        hung = nest(frame.digits + 5, group(line, path))
        return frame.remark(annotate(Style.NOTE, "reached by"), hung)


def call_path(calls: Iterable[Call]) -> CallPath:
    """The calls that led to the place, the outermost first."""
    return CallPath(tuple(calls))


R = TypeVar("R")


def _folded(rows: Sequence[R], most: int) -> tuple[list[R], int]:
    """The first rows, and how many are left out: never just one."""
    if len(rows) <= most + 1:
        return list(rows), 0
    return list(rows[:most]), len(rows) - most


def _set_off(frame: Frame, lines: Doc, fold: int) -> Doc:
    """``lines`` further in than code is, and below a blank line if there is room for one."""
    if not lines:
        return ""
    inside = frame.behind_bar(concat("   ", align(lines)))
    return inside if fold else vcat([frame.bar, inside])


def _more(missing: int, what: str = "") -> Doc:
    return annotate(Style.DIMMED, f"… {missing:,} more {what}".rstrip())


def _is_number(text: str) -> bool:
    return text.strip("+-−").replace(",", "").replace(".", "", 1).isdigit()
