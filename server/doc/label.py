"""What is to be said about a place."""

from __future__ import annotations

from dataclasses import dataclass

from .nodes import Doc
from .source import Span
from .style import Style


@dataclass(frozen=True, slots=True)
class Label:
    """A place, what is to be said about it, and whether the message is about this place."""

    span: Span
    text: Doc = ""
    primary: bool = False

    @property
    def style(self) -> Style:
        """How its marks and text look."""
        return Style.PRIMARY if self.primary else Style.SECONDARY
