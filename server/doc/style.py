"""What parts of our messages mean. Renderers decide what that looks like."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Style(Enum):
    """The annotations that every renderer knows; any other annotation is ignored by them."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"
    HEADLINE = "headline"
    PATH = "path"
    GUTTER = "gutter"
    PRIMARY = "primary"
    SECONDARY = "secondary"
    MARKED = "marked"
    NOTE = "note"
    HELP = "help"
    FIX = "fix"
    NAME = "name"
    KEYWORD = "keyword"
    TYPE = "type"
    VALUE = "value"
    DIMMED = "dimmed"
    STRONG = "strong"
    EMPHASIS = "emphasis"
    CODE = "code"  # a piece of program text within prose
    BLOCK = "block"  # lines whose columns are aligned: monospaced wherever they are shown


@dataclass(frozen=True, slots=True)
class Link:
    """Leads to ``target``: an ``https:``, ``http:`` or ``file:`` address."""

    target: str

    @property
    def is_safe(self) -> bool:
        """Whether a page may lead there: an address that can't close its quotes or run code."""
        return self.target.startswith(("https://", "http://", "file://")) and not (
            set(self.target) & set(" <>\"'\\\n")
        )
