"""Labels of several lines, drawn beside the code: a lane each, left of it.

```
15 │ ┌ h = f(
   ⋮ │
19 │ │     x)
   │ └── the whole call
```
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .algebra import align, annotate, hcat
from .frame import Frame, margin, paragraph
from .label import Label
from .nodes import Doc

LIGHT, HEAVY = "┌│└─", "┏┃┗━"


@dataclass(frozen=True, slots=True)
class Lanes:
    """The lane of each label: no two in one lane share a line. Labels of one line have none."""

    lane: dict[Label, int]

    @staticmethod
    def of(labels: Sequence[Label]) -> Lanes:
        """Lanes for those of ``labels`` that span several lines."""
        long = [label for label in labels if label.span.line != label.span.end_line]
        lane: dict[Label, int] = {}
        for label in sorted(long, key=lambda label: label.span):
            taken = {lane[other] for other in lane if other.span.end_line >= label.span.line}
            lane[label] = next(number for number in range(len(long)) if number not in taken)
        return Lanes(lane)

    @property
    def columns(self) -> int:
        """The columns that all lanes take."""
        return 2 * (1 + max(self.lane.values(), default=-1))

    def beside(self, line: int) -> Doc:
        """What stands beside source line ``line``."""
        return hcat(self._cells(line))

    def below(self, line: int) -> Doc:
        """What stands beside the marks below source line ``line``."""
        return hcat(self._cells(line, below=True))

    def over_gap(self, line: int) -> Doc:
        """What stands beside the dots between source line ``line`` and the next one shown."""
        cells = self._cells(line + 1, below=True)
        while cells and cells[-1] == " ":
            cells.pop()
        return hcat(cells)

    def ends(self, frame: Frame, line: int) -> list[Doc]:
        """The rows that end the labels of which ``line`` is the last, and say what they say."""
        rows: list[Doc] = []
        ending = [label for label in self.lane if label.span.end_line == line]
        for label in sorted(ending, key=lambda label: self.lane[label], reverse=True):
            cells = self._cells(line, below=True)[: 2 * self.lane[label] + 1]
            drawn = HEAVY if label.primary else LIGHT
            rule = drawn[2] + drawn[3] * (self.columns - len(cells))
            said = [" ", align(annotate(label.style, paragraph(label.text)))] if label.text else []
            rows.append(
                margin(hcat([frame.bar, *cells]), hcat([annotate(label.style, rule), *said]))
            )
        return rows

    def _cells(self, line: int, below: bool = False) -> list[Doc]:
        cells: list[Doc] = [" "] * self.columns
        for label, lane in self.lane.items():
            span = label.span
            if span.line <= line <= span.end_line:
                drawn = HEAVY if label.primary else LIGHT
                starts = line == span.line and not below
                cells[2 * lane + 1] = annotate(label.style, drawn[0 if starts else 1])
        return cells
