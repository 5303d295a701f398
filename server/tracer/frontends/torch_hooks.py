"""Hooks of PyTorch: what they were given, and what they gave, which is what is used from then on.

Hooks of layers are called by functions of PyTorch that get code of the same text with calls of ours
around those that they make, once the program registers its first hook: see ``recompiled``. Hooks of
tensors are called by the engine; what became of a gradient is seen by the hooks on nodes that
``torch_gradients`` has anyway.
"""

from __future__ import annotations

import ast
import copy
import sys
import types
from collections.abc import Iterator
from functools import partial
from typing import Any

from ..recorder import HOOK, HOOKED, Recorder
from .recompiled import as_written, recompiled

MAX_WRAPPED = 16
"""Times that a callable may be wrapped in another."""
MAX_ITEMS = 64
"""Items of a tuple that are told of."""
_BEGIN = b"\0jit-lsp:hook"
_KINDS = ("before", "after", "gradient", "same")
"""When a hook is called: before a layer runs, after it has run, with its gradients. ``same`` is no
hook: a layer whose gradients go through some is given, and gives, tensors that show the same."""
_NAMES = frozenset({"hook", "user_hook", "user_pre_hook"})
"""What a hook is called in PyTorch's functions."""
_SAME = frozenset({"setup_input_hook", "setup_output_hook"})


class Hooks:
    """What is called when a hook is registered, and around each call of one."""

    def __init__(self, recorder: Recorder, torch: Any) -> None:
        self.recorder, self.torch = recorder, torch
        self.seen = False
        """Whether the program has registered any."""
        recorder.before["hook"] = self.registered
        recorder.before["hooked"] = self.given

    def registered(self, site: int, value: Any) -> None:
        """A hook of a tensor or a layer is about to be registered."""
        recorder = self.recorder
        if not self.seen:
            self.seen = True
            told = {_mark(kind): partial(self.told, kind) for kind in _KINDS}
            for function in calling(self.torch):
                recompiled(function, _around, {_BEGIN: self.begins, **told})
        token = recorder.token(value)
        recorder.log.append((HOOK, recorder.going_on(), site, token, None))

    def given(self, site: int, hook: Any) -> None:
        """And this is the hook."""
        code = code_of(hook)
        if code is not None:
            place = code.co_filename, code.co_firstlineno, code.co_name
            recorder = self.recorder
            recorder.log.append((HOOK, recorder.going_on(), site, None, place))

    def begins(self) -> int | None:
        """A hook is about to be called."""
        return None if self.recorder.resting() else next(self.recorder.clock)

    def told(self, kind: str, begun: int | None, owner: Any, *given: Any) -> Any:
        """It was called, with ``given`` but the last, which it gave."""
        *taken, value = given
        if begun is not None and self.torch._C._get_tracing_state() is None:
            recorder = self.recorder
            result = value
            if kind in ("before", "after") and type(taken[-1 - (kind == "after")]) is dict:
                del taken[1]  # arguments by name
                if kind == "before" and type(value) is tuple:
                    result = value[0]
            told = [self.parts(each) for each in taken], self.parts(result)
            log, by = recorder.log, recorder.caller(sys._getframe(1))
            layer, last = recorder.thing(owner), next(recorder.clock)
            log.append((HOOKED, recorder.line(), by, begun, last, kind, layer, *told))
        return value

    def parts(self, value: Any, depth: int = 3) -> object:
        """What identifies a value, and what a tuple or a list holds."""
        recorder = self.recorder
        if type(value) in recorder.facts:
            return recorder.described(value)
        if type(value) not in (tuple, list) or not depth:
            return recorder.token(value)
        return tuple(self.parts(each, depth - 1) for each in value[:MAX_ITEMS])


def code_of(function: Any) -> types.CodeType | None:
    """The code in Python that a call of something runs first, found so that nothing runs."""
    for _ in range(MAX_WRAPPED):
        kind = type(function)
        if kind is types.FunctionType:
            code: types.CodeType = function.__code__
            return code
        if kind is types.MethodType:
            function = function.__func__
        elif kind is partial:
            function = function.func
        else:
            classes = type.__dict__["__mro__"].__get__(kind)
            own = (vars(each) for each in classes)
            function = next((names["__call__"] for names in own if "__call__" in names), None)
    return None


def calling(torch: Any) -> Iterator[types.FunctionType]:
    """The functions of PyTorch that call hooks of layers."""
    backward = getattr(torch.utils.hooks, "BackwardHook", object)
    of_gradients = (vars(backward).get(n) for n in ("_set_user_hook", "setup_output_hook"))
    for function in (vars(torch.nn.Module).get("_call_impl"), *of_gradients):
        if isinstance(function, types.FunctionType):
            yield function


def unwatch(torch: Any) -> None:
    """Give those functions the code back that the library wrote."""
    for function in calling(torch):
        as_written(function)


def _mark(kind: str) -> bytes:
    return _BEGIN + kind.encode()


def _around(function: ast.FunctionDef) -> bool:
    """Put our two calls around each call of a hook."""
    change = _Calls()
    change.visit(function)
    return change.changed


class _Calls(ast.NodeTransformer):
    def __init__(self) -> None:
        self.changed = False

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        kind = _kind_of(node)
        if kind is None:
            return node
        self.changed = True
        given = [copy.deepcopy(a) for a in node.args]
        if kind == "same":
            given.insert(0, ast.Name("self", ast.Load()))
        told = ast.Call(ast.Constant(_mark(kind)), [
            ast.Call(ast.Constant(_BEGIN), [], []), *given, node
        ], [])  # fmt: skip
        for new in (told, told.func, *told.args):
            if new is not node:
                for part in ast.walk(new) if new is not told else (new,):
                    ast.copy_location(part, node)
        return told


def _kind_of(node: ast.Call) -> str | None:
    """What kind of hook a call is of; None where it is of something else."""
    func, given = node.func, [ast.unparse(a) for a in node.args]
    if isinstance(func, ast.Attribute) and func.attr in _SAME and len(given) == 1:
        return "same"
    if not isinstance(func, ast.Name) or func.id not in _NAMES or len(given) < 2:
        return None
    if given[0] == "self.module":
        return "gradient"
    if given[0] != "self":
        return None
    return "after" if given[-1] == "result" else "before"
