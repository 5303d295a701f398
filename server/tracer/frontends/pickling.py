"""Functions that are sent to other processes go there as they were written.

What sends the code of functions itself (cloudpickle, and with it joblib) would take our objects
along, which no other process can have.
"""

from __future__ import annotations

import ast
import sys
import types
import weakref

from ..recorder import Recorder
from .plain import PlainCodes
from .recompiled import recompiled

_MODULES = ("cloudpickle.cloudpickle", "joblib.externals.cloudpickle.cloudpickle")
_PLAIN = b"\0jit-lsp:plain"
_done: weakref.WeakKeyDictionary[Recorder, set[int]] = weakref.WeakKeyDictionary()
"""The functions that begin with that already."""


def activate(recorder: Recorder) -> bool:
    """Let what has been imported of these give plain code. Never done: another may be imported
    yet."""
    done = _done.setdefault(recorder, set())
    for name in _MODULES:
        function = getattr(sys.modules.get(name), "_code_reduce", None)
        if isinstance(function, types.FunctionType) and id(function) not in done:
            done.add(id(function))
            recompiled(function, _of_plain, {_PLAIN: PlainCodes(recorder).or_own})
    return False


def _of_plain(function: ast.FunctionDef) -> bool:
    """Begin with ``obj = PLAIN(obj)``, where that is what the only parameter is called."""
    names = [a.arg for a in function.args.args]
    if len(names) != 1:
        return False
    call = ast.Call(ast.Constant(_PLAIN), [ast.Name(names[0], ast.Load())], [])
    first = ast.Assign([ast.Name(names[0], ast.Store())], call)
    ast.copy_location(first, function.body[0])
    ast.fix_missing_locations(first)
    function.body.insert(0, first)
    return True
