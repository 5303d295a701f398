"""Notebooks, as an editor has them: a document a cell.

Everything else in the server knows one document, the program that the code cells make. Here, and
nowhere else, messages are led from cells to that program and back: documents, places, edits.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Any

from ..documents import Document
from ..notebooks import Notebook, program
from ..positions import Encoding, Place, units_to_columns

CODE = 2
"""LSP's NotebookCellKind."""
_FAR = (1 << 31) - 1
"""The largest column that there is."""
_OPAQUE = frozenset({"data", "arguments"})
"""What only we read again; its places stay those of the program."""

Message = dict[str, Any]


class _Open:
    """An open notebook: its cells in order, each with its kind, and the program that they make."""

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self.cells: list[tuple[str, int]] = []
        self.made = Notebook("", [])
        self.code: list[str] = []
        """The URIs of the code cells."""
        self.begins: dict[str, int] = {}
        """Where each of them begins in the program, from 0."""

    def make(self, texts: dict[str, Document]) -> str:
        """The program of the cells as they are now. What isn't Python is empty lines there."""
        self.code = [uri for uri, kind in self.cells if kind == CODE and uri in texts]
        self.made = program([texts[uri].text for uri in self.code])
        self.begins = {
            uri: start - 1 for uri, start in zip(self.code, self.made.starts, strict=True)
        }
        return self.made.text

    def cell_at(self, line: int) -> str | None:
        """The cell that has a line of the program, from 0."""
        number = bisect_right(self.made.starts, line + 1)
        return self.code[number - 1] if number else None

    def in_program(self, position: Message, cell: str) -> Message:
        """A position in a cell as one in the program. Places behind the cell are its end."""
        begins = self.begins.get(cell, 0)
        line = begins + position["line"]
        if cell in self.begins and self.cell_at(line) != cell:
            line = next((b for b in self.begins.values() if b > begins), line + 1) - 1
            return {**position, "line": line, "character": _FAR}
        return {**position, "line": line}

    def may_be_in(self, cell: str | None, line: int | None) -> bool:
        """Whether what is at a line, where it has one, is in a cell, where it has to be in one."""
        return cell is None or line is None or self.cell_at(line) == cell


class Cells:
    """The open notebooks of a connection."""

    def __init__(self, encoding: Callable[[], Encoding]) -> None:
        self._encoding = encoding
        self._notebooks: dict[str, _Open] = {}
        self._texts: dict[str, Document] = {}
        self._of: dict[str, _Open] = {}
        """By the URI of a cell."""
        self._asked: dict[str | int, str] = {}
        """Requests about a cell that have no answer yet."""
        self._closing = ""

    # ------------------------------------------------------------------ from the client

    def incoming(self, message: Message) -> Message:
        """What a message of the client means for the program."""
        method, params = message.get("method"), message.get("params")
        if isinstance(method, str) and method.startswith("notebookDocument/"):
            return self._synchronised(message, method.rpartition("/")[2], message["params"])
        uri = params.get("textDocument", {}).get("uri") if isinstance(params, dict) else None
        if uri not in self._of:
            return message
        if "id" in message:
            self._asked[message["id"]] = uri
        return {**message, "params": self._to_program(params, uri)}

    def settle(self) -> None:
        """A message has been handled."""
        closing, self._closing = self._notebooks.pop(self._closing, None), ""
        for uri, _ in closing.cells if closing is not None else ():
            self._forget(uri)

    def _synchronised(self, message: Message, what: str, params: Message) -> Message:
        item = params["notebookDocument"]
        uri = item["uri"]
        meant: Message = {"textDocument": {"uri": uri}}
        if what == "didOpen":
            found = self._notebooks[uri] = _Open(uri)
            found.cells = [(cell["document"], cell["kind"]) for cell in item["cells"]]
            self._opened(found, params["cellTextDocuments"])
            text = found.make(self._texts)
            document = {**meant["textDocument"], "languageId": "python", "version": item["version"]}
            meant = {"textDocument": {**document, "text": text}}
        elif what == "didChange":
            found = self._notebooks[uri]
            self._changed(found, params["change"].get("cells") or {})
            meant["textDocument"]["version"] = item["version"]
            meant["contentChanges"] = [{"text": found.make(self._texts)}]
        elif what == "didClose":
            self._closing = uri
        return {**message, "method": f"textDocument/{what}", "params": meant}

    def _opened(self, notebook: _Open, items: list[Message]) -> None:
        for item in items:
            text = item["text"]
            if item["languageId"] != "python":
                text = "\n" * text.count("\n")
            self._texts[item["uri"]] = Document("", item["uri"], item["version"], text)
            self._of[item["uri"]] = notebook

    def _changed(self, notebook: _Open, change: Message) -> None:
        if structure := change.get("structure"):
            array = structure["array"]
            start, cells = array["start"], array.get("cells") or []
            new = [(cell["document"], cell["kind"]) for cell in cells]
            notebook.cells[start : start + array["deleteCount"]] = new
            for closed in structure.get("didClose") or ():
                self._forget(closed["uri"])
            self._opened(notebook, structure.get("didOpen") or [])
        for edited in change.get("textContent") or ():
            document = self._texts[edited["document"]["uri"]]
            for edit in edited["changes"]:
                if "range" in edit:
                    start, end = (self._place(document, edit["range"][e]) for e in ("start", "end"))
                    document.change(start, end, edit["text"])
                else:
                    document.replace(edit["text"])

    def _place(self, document: Document, position: Message) -> Place:
        number = position["line"] + 1
        line = document.line(number)
        return Place(number, units_to_columns(line, position["character"], self._encoding()))

    def _forget(self, uri: str) -> None:
        self._texts.pop(uri, None)
        self._of.pop(uri, None)

    def _to_program(self, value: Any, cell: str) -> Any:
        """The same about the program: its URI for those of cells, and its lines for theirs."""
        if isinstance(value, list):
            return [self._to_program(item, cell) for item in value]
        if not isinstance(value, dict):
            return value
        if _is_position(value):
            return self._of[cell].in_program(value, cell)
        uri = value.get("uri")
        here = uri if uri in self._of else cell
        return {
            name: self._of[uri].uri
            if name == "uri" and uri in self._of
            else inner
            if name in _OPAQUE
            else self._to_program(inner, here)
            for name, inner in value.items()
        }

    # ------------------------------------------------------------------ to the client

    @property
    def any(self) -> bool:
        """Whether a notebook is open."""
        return bool(self._notebooks)

    def outgoing(self, message: Message) -> Iterator[Message]:
        """What the client is told in place of a message about the program."""
        asked = self._asked.pop(message.get("id", ""), None)
        if asked is not None and "method" not in message and asked in self._of:
            notebook = self._of[asked]
            yield {
                name: self._to_cells(value, notebook, asked) if name == "result" else value
                for name, value in message.items()
            }
            return
        shown = None
        if message.get("method") == "textDocument/publishDiagnostics":
            shown = self._notebooks.get(message["params"]["uri"])
        if shown is None:
            yield self._to_cells(message, None, None)
            return
        for cell in shown.code:
            inside = self._to_cells(message["params"]["diagnostics"], shown, cell)
            yield {**message, "params": {"uri": cell, "diagnostics": inside}}

    def _to_cells(self, value: Any, notebook: _Open | None, cell: str | None) -> Any:
        """The same about cells. Places without a document are of ``cell``; what is in another is
        left out of lists."""
        if isinstance(value, list):
            return [
                self._to_cells(item, notebook, cell)
                for item in value
                if (notebook is None or notebook.may_be_in(cell, _line(item)))
                and not self._is_report(item)  # the client asks for those of cells
            ]
        if not isinstance(value, dict):
            return value
        if _is_position(value):
            begins = notebook.begins.get(cell, 0) if notebook is not None and cell else 0
            return {**value, "line": max(value["line"] - begins, 0)}
        if "changes" in value or "documentChanges" in value:
            return self._edits(value)
        located = self._notebooks.get(value.get("uri", ""))
        line = _line(value)
        if located is not None and line is not None:
            notebook, cell = located, located.cell_at(line)
            value = {**value, "uri": cell or located.uri}
        return {
            name: inner if name in _OPAQUE else self._to_cells(inner, notebook, cell)
            for name, inner in value.items()
        }

    def _is_report(self, value: Any) -> bool:
        """Whether it is what ``workspace/diagnostic`` has of a notebook."""
        return isinstance(value, dict) and "kind" in value and value.get("uri") in self._notebooks

    def _edits(self, edit: Message) -> Message:
        """A WorkspaceEdit with the edits of a program as those of its cells."""
        by_cell: dict[str, list[Message]] = {}
        others: list[Message] = []
        found = [(c["textDocument"], c["edits"]) for c in edit.get("documentChanges") or ()]
        found += [({"uri": uri}, edits) for uri, edits in (edit.get("changes") or {}).items()]
        for document, edits in found:
            notebook = self._notebooks.get(document["uri"])
            if notebook is None:
                others.append({"textDocument": document, "edits": edits})
                continue
            for one in edits:
                cell = notebook.cell_at(one["range"]["start"]["line"]) or notebook.uri
                by_cell.setdefault(cell, []).append(self._to_cells(one, notebook, cell))
        if "changes" in edit:
            changes = {other["textDocument"]["uri"]: other["edits"] for other in others}
            return {**edit, "changes": changes | by_cell}
        made = [
            {"textDocument": {"uri": uri, "version": None}, "edits": edits}
            for uri, edits in by_cell.items()
        ]
        return {**edit, "documentChanges": [*others, *made]}


def _is_position(value: Message) -> bool:
    return value.keys() == {"line", "character"}


def _line(value: Any) -> int | None:
    """The line of the program at which something in a message begins."""
    if not isinstance(value, dict):
        return None
    if _is_position(value):
        return int(value["line"])
    place = value.get("range") or value.get("position") or value.get("targetRange")
    if not isinstance(place, dict):
        return None
    return int(place["start"]["line"] if "start" in place else place["line"])
