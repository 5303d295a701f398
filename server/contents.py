"""The ``jit-lsp:`` documents: what a run left, as text. Pure functions, which may take seconds."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .diagnostics.rules import all_rules
from .doc import LayoutOptions, layout
from .doc.sourcemap import OutputRange, source_map
from .forms import FORMS
from .gradient import gradient_of
from .index import Index
from .ir import Module
from .ir.passes.manager import optimise
from .ir.printer import Printer, PrintOptions
from .ir.svg import draw_words
from .launch import Unusable
from .status import page
from .uris import Address

WIDTH = 100
"""Columns of the text form."""


@dataclass(frozen=True, slots=True)
class Content:
    """A document's text. ``marks`` are the places of graphs in their text form."""

    text: str
    marks: Sequence[OutputRange] = ()


def content(address: Address, index: Index | None) -> Content | None:
    """The document at an address, from the last run of its program, if there was one.

    None: there is no such rule.
    """
    if address.kind == "rule":
        rule = all_rules().get(address.subject)
        return Content(f"# {rule.name}\n\n{rule.page}") if rule is not None else None
    if address.kind == "status":
        return Content(page(address.subject, index.result if index is not None else None))
    if address.kind == "output":
        return Content(_output(index))
    if index is None:
        return _without(address.kind, "there was no run yet")
    module = index.lifted.module
    if address.by:
        sources = index.result.sources.values()
        try:
            module = gradient_of(
                module, address.function or None, address.by, address.loss, sources
            )
        except Unusable as error:
            return _without(address.kind, str(error))
    if address.level:
        module = optimise(module, address.level)
    if address.function and not address.by:
        if address.function not in module.graphs:
            return _without(address.kind, f"no function {address.function} was recorded")
        module = module.only(address.function)
    return _GRAPHS[address.kind](module)


def _text(module: Module) -> Content:
    printer = Printer(PrintOptions(width=WIDTH, marks=True))
    laid = layout(printer.module(module), LayoutOptions(width=WIDTH))
    return Content(laid.text + "\n", source_map(laid))


def _as(form: Callable[[Module], str]) -> Callable[[Module], Content]:
    return lambda module: Content(form(module))


_GRAPHS: dict[str, Callable[[Module], Content]] = {
    "ir": _text,
    **{kind: _as(form) for kind, form in FORMS.items()},
}


def _without(kind: str, reason: str) -> Content:
    """A document of its kind that says why there is no graph."""
    match kind:
        case "json":
            return Content(FORMS["json"](Module()))
        case "svg":
            return Content(draw_words(reason))
        case "dot":
            return Content(f"// {reason}\ndigraph {{}}\n")
    return Content(f"# {reason}\n")


def _output(index: Index | None) -> str:
    """What the program printed, beside the lines of the statements that did, if they are known."""
    if index is None:
        return ""
    trace = index.result.trace
    text = _numbered(trace.printed) if trace.printed else trace.output
    missing = trace.output_bytes - len(trace.output.encode(errors="replace"))
    return f"{text}\n… and {missing:,} bytes more\n" if missing > 0 else text


def _numbered(printed: Sequence[tuple[int, str]]) -> str:
    r"""
    >>> print(_numbered([(3, "one\ntwo\n"), (12, "three ("), (13, "done)\n")]), end="")
     3 │ one
       │ two
    12 │ three (done)
    """
    width = len(str(max(line for line, _ in printed)))
    rows: list[str] = []
    shown = 0
    for line, text in printed:
        for part in _LINE.findall(text):
            if not rows or rows[-1].endswith("\n"):
                number = line if line != shown else 0
                rows.append(f"{number or '':>{width}} │ ")
                shown = line
            rows.append(part)
    return "".join(rows)


_LINE = re.compile(r"[^\n]*\n|[^\n]+")
