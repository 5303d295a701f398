"""Functions that a run never called are called by their examples, so that something is known of
them: by the comments ``# jit: example EXPRESSION`` above a ``def``, and by the examples of its
docstring (its class's, for a method without its own).

An example is recorded as part of the file, at the place where it is written: there the calls are
seen to come from. What it prints goes nowhere, and what it gives is not compared: that is what
``doctest`` is for.
"""

from __future__ import annotations

import ast
import contextlib
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .instrument import instrument_after
from .publish import Publisher
from .recorder import Recorder
from .sites import Position, Program, position

PATIENCE = 5.0
"""Seconds after which no further example is begun."""
_COMMENT = re.compile(r"(\s*#\s*jit:\s*example\s+)(\S.*)")


@dataclass(frozen=True, slots=True)
class Example:
    """Statements to run; ``place`` is where their first character stands (line, column)."""

    source: str
    place: tuple[int, int]
    meant: bool
    """Whether it was written for us, so that what is wrong with itself is told too."""


def run(path: str, programs: Mapping[str, Program], recorder: Recorder,
        publisher: Publisher) -> BaseException | None:  # fmt: skip
    """Call what was never called in the file ``path``. Gives the first exception that says
    something of the file, which ends it."""
    program, namespace = programs.get(path), _namespace(path)
    if program is None or namespace is None:
        return None
    silent = _silent(program, recorder)
    if not silent:
        return None
    module = ast.parse(program.source)
    recorder.entered(path, next(program.scopes))
    began = time.monotonic()
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        for scope, examples in _examples(module, program, silent):
            if recorder.was_called(scope):  # by an example before
                continue
            names = dict(namespace)
            for example in examples:
                if time.monotonic() - began > PATIENCE:
                    return None
                with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
                    error = _run(example, module, program, names, recorder, publisher)
                if error is not None:
                    if example.meant or _deep(error, path):
                        return error
                    break
    return None


def _run(example: Example, module: ast.Module, program: Program, names: dict[str, object],
         recorder: Recorder, publisher: Publisher) -> BaseException | None:  # fmt: skip
    path, shown = program.path, sys.displayhook
    sys.displayhook = lambda value: None
    try:
        try:
            tree = _moved(example, example.source)
        except SyntaxError as error:
            names = {"error": error}
            tree = _moved(example, "raise error")
        part = Program(path, program.source, program.tables)
        rewritten = instrument_after(module, next(program.scopes), tree, part)
        publisher.program(part)
        exec(rewritten.code(lambda key: recorder.resolve(key, path)), names)
    except SystemExit:  # it is not the program's
        return None
    except BaseException as error:
        return error
    finally:
        sys.displayhook = shown
    return None


def _moved(example: Example, source: str) -> ast.Module:
    """The statements ``source``, at the place of the example in the file."""
    tree = ast.parse(source)
    line, column = example.place
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt | ast.expr | ast.excepthandler | ast.arg | ast.keyword):
            node.lineno += line - 1
            node.end_lineno = (node.end_lineno or 1) + line - 1
            node.col_offset += column
            node.end_col_offset = (node.end_col_offset or 0) + column
    return tree


def _deep(error: BaseException, path: str) -> bool:
    """Whether it was raised in a function of the file, not in the example itself."""
    tb = error.__traceback__
    while tb is not None:
        code = tb.tb_frame.f_code
        if code.co_filename == path and code.co_name != "<module>":
            return True
        tb = tb.tb_next
    return False


def _silent(program: Program, recorder: Recorder) -> dict[Position, int]:
    """The functions of a file that have sites and were not called: place to number."""
    scopes = program.tables.scopes
    return {scopes[n].place: n for n in program.scopes if recorder.was_called(n) is False}


def _examples(
    module: ast.Module, program: Program, silent: Mapping[Position, int]
) -> Iterator[tuple[int, list[Example]]]:
    """Those functions' examples, by the functions' numbers."""
    lines = program.source.splitlines()
    for node, owner in _functions(module, None):
        number = silent.get(position(node))
        if number is not None:
            examples = _commented(node, lines) or _documented(node) or _documented(owner)
            if examples:
                yield number, examples


_Function = ast.FunctionDef | ast.AsyncFunctionDef


def _functions(
    tree: ast.AST, owner: ast.ClassDef | None
) -> Iterator[tuple[_Function, ast.ClassDef | None]]:
    """The functions that an example can reach by a name, with the class that each is in."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, _Function):
            yield node, owner
        else:
            yield from _functions(node, node if isinstance(node, ast.ClassDef) else owner)


def _commented(node: _Function, lines: list[str]) -> list[Example]:
    line = min([node.lineno, *(d.lineno for d in node.decorator_list)]) - 1  # the one above
    found: list[Example] = []
    while line > 0 and lines[line - 1].lstrip().startswith("#"):
        match = _COMMENT.fullmatch(lines[line - 1])
        if match:
            column = len(match[1].encode())
            found.insert(0, Example(match[2], (line, column), meant=True))
        line -= 1
    return found


def _documented(node: _Function | ast.ClassDef | None) -> list[Example]:
    text = ast.get_docstring(node, clean=False) if node is not None else None
    if node is None or text is None or ">>>" not in text:
        return []
    import doctest  # heavy, and few files have examples

    first = node.body[0].lineno
    try:
        parsed = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return []
    found = []
    for example in parsed:
        if example.exc_msg is not None or example.options.get(doctest.SKIP):
            continue  # it is about what goes wrong, or not to be run
        place = (first + example.lineno, example.indent + len(">>> "))
        found.append(Example(example.source, place, meant=False))
    return found


def _namespace(path: str) -> Mapping[str, object] | None:
    """The globals of the module that the file became."""
    for module in list(sys.modules.values()):
        names = getattr(module, "__dict__", None)
        if isinstance(names, dict) and names.get("__file__") == path:
            return names
    return None
