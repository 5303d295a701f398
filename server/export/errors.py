"""What can't be exported, as what the user is told."""

from __future__ import annotations

from ..doc.source import Span

__all__ = ["ExportError", "Refused"]


class ExportError(Exception):
    """A graph has no ONNX model. ``span`` is the place that is the reason, ``instead`` what can be
    written there in its place, as far as that is known."""

    def __init__(self, reason: str, span: Span | None = None, instead: str = "") -> None:
        super().__init__(reason)
        self.reason, self.span, self.instead = reason, span, instead


class Refused(Exception):
    """A rule has nothing for these arguments; the op is named by who asked."""

    def __init__(self, reason: str, instead: str = "") -> None:
        super().__init__(reason)
        self.reason, self.instead = reason, instead
