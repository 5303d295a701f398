"""From a rewritten tree to code: markers become objects, and records become cells.

Whatever a rewritten program refers to of ours is a constant of its code: compiled as marked bytes
and swapped for the object afterwards, so that no name appears in ``globals()``, ``builtins`` or
``dir()``.

A frame's record is a variable that inner functions share and that never gets a value. Python keeps
such a variable in a cell, a new one for each call; and since it has no value, neither ``locals()``
nor ``f_locals`` has its name. What is wanted of it is the cell itself, as the identity of the
frame, which no syntax gives. So reads of it are compiled as reads of a shared variable
(``LOAD_DEREF``) and turned into reads of the slot that its cell is in (``LOAD_FAST``), in place:
both are instructions of one size. The cell is made where the recorded body begins, for the plain
one is not to pay for it: there an assignment is compiled, and its instructions turned into those
that make a cell and read it.
"""

from __future__ import annotations

import ast
import dis
import types
import warnings
from collections.abc import Callable, Mapping
from functools import cache

Key = tuple[object, ...]

RECORD = ".r"
"""The name of a frame's record; no program can write it."""
MARK = b"\0jit-lsp:"


def compiled(
    tree: ast.Module, path: str, constants: Mapping[bytes, Key],
    resolve: Callable[[Key], object], flags: int = 0,
) -> types.CodeType:  # fmt: skip
    """Compile a rewritten tree, with the objects of those markers that it has."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="'bytes' object is not", category=SyntaxWarning)
        code = compile(tree, path, "exec", flags, dont_inherit=True)
    return _swap(code, cache(lambda mark: resolve(constants[mark])))


def _swap(code: types.CodeType, object_of: Callable[[bytes], object]) -> types.CodeType:
    constants: list[object] = []
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            constants.append(_swap(constant, object_of))
        elif type(constant) is bytes and constant.startswith(MARK):
            constants.append(object_of(constant))
        else:
            constants.append(constant)
    if RECORD in code.co_cellvars or RECORD in code.co_freevars:
        return code.replace(
            co_consts=tuple(constants), co_code=_with_cell(code), co_linetable=_places(code)
        )
    if all(new is old for new, old in zip(constants, code.co_consts, strict=True)):
        return code
    return code.replace(co_consts=tuple(constants))


def _with_cell(code: types.CodeType) -> bytes:
    """The instructions of a code, with the record's cell where they have its value."""
    raw, slot = bytearray(code.co_code), _slot(code, RECORD)
    argument, before = 0, [(0, 0), (0, 0)]
    for number, (operation, low) in enumerate(zip(raw[::2], raw[1::2], strict=True)):
        argument = argument << 8 | low
        if operation == dis.EXTENDED_ARG:
            continue
        at = 2 * number
        if argument == slot and operation == _LOAD:
            raw[at] = _LOAD_SLOT
        elif argument == slot and operation == _MAKE and slot < 256:  # else it is left at the start
            raw[at] = _NOP
        elif argument == slot and operation == _STORE:
            (constant, first), (copy, second) = before
            if (first, second) == (_LOAD_CONST, _COPY):
                raw[constant], raw[at] = _NOP, _LOAD_SLOT
                raw[copy : copy + 2] = (_MAKE, slot) if slot < 256 else (_NOP, 0)
        argument, before = 0, [before[1], (at, operation)]
    return bytes(raw)


def _places(code: types.CodeType) -> bytes:
    """Where the instructions stand. The first made a cell, and stood nowhere; a function without
    cells begins at the place of its ``def``, as the second does."""
    table = code.co_linetable
    return _AT_DEF + table[1:] if table.startswith(_NOWHERE + _AT_DEF) else table


def _slot(code: types.CodeType, name: str) -> int:
    """Where a variable of a code is among all of its variables."""
    own = code.co_varnames
    return [*own, *(n for n in code.co_cellvars if n not in own), *code.co_freevars].index(name)


_NOWHERE, _AT_DEF = b"\xf8", b"\x80\x00"
"""Entries for one instruction, as CPython's ``locations.md`` has them."""
_LOAD_CONST, _COPY, _LOAD, _LOAD_SLOT, _STORE, _MAKE, _NOP = map(
    dis.opmap.__getitem__,
    ("LOAD_CONST", "COPY", "LOAD_DEREF", "LOAD_FAST", "STORE_DEREF", "MAKE_CELL", "NOP"),
)
