"""Which calls may write into arrays with nobody seeing it, as far as the text tells: those of what
isn't recorded, and of which nothing is known."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from .sites import Operand

_KNOWN = frozenset({
    "numpy", "torch", "builtins", "math", "cmath", "os", "sys", "time", "re", "json", "itertools",
})  # fmt: skip
"""Libraries of whose functions it is known what they write into, or that it is nothing."""
_NEVER_WRITES = frozenset({"append", "extend", "format", "join", "get"})
"""Methods that many kinds of objects have, and that leave what they are given alone."""
_READS = frozenset(dir(str)) | frozenset(dir(bytes)) | frozenset(dir(complex)) | frozenset({
    "all", "any", "argmax", "argmin", "argsort", "astype", "backward", "clip", "close", "conj",
    "copy", "cpu", "cumsum", "detach", "diagonal", "dot", "eval", "exists", "flatten", "float",
    "flush", "is_dir", "is_file", "item", "items", "iterdir", "keys", "long", "max", "mean", "min",
    "nonzero", "numpy", "parameters", "pop", "popleft", "prod", "ravel", "read", "readline",
    "repeat", "reshape", "resolve", "round", "squeeze", "start", "std", "sum", "swapaxes", "take",
    "tobytes", "tolist", "total_seconds", "trace", "transpose", "unsqueeze", "values", "var",
    "view", "write",
})  # fmt: skip
"""Methods of texts, arrays, files and the like that leave arrays in what they are called on
alone."""


def may_write(
    node: ast.Call,
    operands: Sequence[Operand],
    callee: str,
    certain: bool,
    recorded: frozenset[str],
    patient: bool = False,
) -> bool:
    """Whether a call may write into what it is given or called on. ``recorded`` are the names of
    functions that are looked into; ``patient``, that methods may write whatever they are called."""
    name = callee.rpartition(".")[2]
    if name in recorded or name in _NEVER_WRITES:
        return False
    if certain and callee.partition(".")[0] in _KNOWN:
        return False
    if any(keyword.arg is None for keyword in node.keywords):
        return True
    owner = patient or may_write_owner(callee)
    return any(o.recorded and (o.role != "self" or owner) for o in operands)


def may_write_owner(callee: str) -> bool:
    """Whether a method may write into what the object holds that it is called on."""
    return callee.rpartition(".")[2] not in _READS


def calls(node: ast.Call) -> bool:
    """Whether its arguments call anything, or may run other code in between."""
    given = (*node.args, *(keyword.value for keyword in node.keywords))
    return any(not isinstance(n, _PLAIN) for value in given for n in ast.walk(value))


_PLAIN = (ast.Name, ast.Constant, ast.expr_context, ast.Starred, ast.Tuple, ast.List, ast.Attribute)
"""What an argument is made of where nothing else runs before the call begins."""
