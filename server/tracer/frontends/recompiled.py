"""Giving a function of a library code of the same text, with calls of ours in it."""

from __future__ import annotations

import ast
import inspect
import types
import warnings
from collections.abc import Callable, Mapping


def recompiled(function: types.FunctionType, change: Callable[[ast.FunctionDef], bool],
               constants: Mapping[bytes, object]) -> None:  # fmt: skip
    """Compile ``function`` anew from its source, after ``change`` to its tree, and with objects in
    place of marked bytes. Name, positions and signature stay; without a source all stays."""
    try:
        lines, first = inspect.getsourcelines(function)
        inside = lines[0][:1] in (" ", "\t")  # of a class, whose line is to stand above
        head = "\n" * (first - 2) + "if 1:\n" if inside else "\n" * (first - 1)
        tree = ast.parse(head + "".join(lines))
    except (OSError, TypeError, SyntaxError):
        return
    name = function.__name__
    found = next(
        (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == name), None
    )
    if found is None or not change(found):
        return
    found.decorator_list = []
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="'bytes' object is not", category=SyntaxWarning)
        flags = function.__code__.co_flags & _FUTURES
        whole = compile(tree, function.__code__.co_filename, "exec", flags, dont_inherit=True)
    code = _named(whole, name)
    old = function.__code__
    if code is None or code.co_freevars != old.co_freevars:
        return
    _written.setdefault(function, old)
    function.__code__ = _swapped(code, constants).replace(
        co_qualname=old.co_qualname, co_firstlineno=old.co_firstlineno
    )


def as_written(function: types.FunctionType) -> None:
    """Give a function the code back that the library wrote."""
    function.__code__ = _written.get(function, function.__code__)


_written: dict[types.FunctionType, types.CodeType] = {}

_FUTURES = 0x1FE0000
"""The bits of a code's flags that ``from __future__`` sets."""


def _swapped(code: types.CodeType, constants: Mapping[bytes, object]) -> types.CodeType:
    """The same code, and that of functions inside, with the objects that marked bytes stand for."""
    return code.replace(co_consts=tuple(
        constants.get(c, c) if type(c) is bytes
        else _swapped(c, constants) if isinstance(c, types.CodeType) else c
        for c in code.co_consts
    ))  # fmt: skip


def _named(code: types.CodeType, name: str) -> types.CodeType | None:
    """The code of the function called ``name`` somewhere inside."""
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found = constant if constant.co_name == name else _named(constant, name)
            if found is not None:
                return found
    return None
