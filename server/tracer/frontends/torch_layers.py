"""Layers of PyTorch: which ran, in what order and inside which, and what they are made of.

A layer may be called by a file that isn't recorded, such as a container of PyTorch's own. So the
one method that all calls of layers come through, ``Module.__call__``, gets code that has the same
text and positions and two calls of ours beside the one that it makes: tracebacks, ``inspect`` and
the function object stay what they are. Those two do nothing while a plain twin runs.
"""

from __future__ import annotations

import ast
import contextlib
import types
from collections.abc import Callable, Iterator
from typing import Any
from weakref import ref

from ..recorder import LAYER, Recorder, Thing
from .recompiled import as_written, recompiled

_IN, _OUT = b"\0jit-lsp:in", b"\0jit-lsp:out"
MAX_SETTINGS = 400
"""Characters of what a layer says of its configuration."""
_UNSHOWN = {
    "MultiheadAttention": ("embed_dim", "num_heads", "batch_first", "dropout", "add_zero_attn")
}
"""The configuration of layers that say nothing of it."""


def install(recorder: Recorder, torch: Any, tensors: Any) -> set[type]:
    """Record layers, and know them and optimizers as operands. Gives the library's own classes of
    both."""
    layer, optimizer = torch.nn.Module, torch.optim.Optimizer
    layers = _Layers(recorder, layer, optimizer)
    recorder.thing = layers.token
    recorder.parts = layers.parts
    inner = recorder.hidden

    def hidden(value: Any, attribute: str) -> Any:
        if isinstance(value, layer):
            found = _held(value, attribute)
            return inner(value, attribute) if found is None else found
        return inner(value, attribute)

    recorder.hidden = hidden
    _watch(layer, _Runs(recorder, tensors))
    return {
        kind
        for space in (vars(torch.nn), vars(torch.optim))
        for kind in space.values()
        if isinstance(kind, type) and issubclass(kind, (layer, optimizer))
    }


class _Layers:
    """The tokens of layers and optimizers, and what these hold."""

    def __init__(self, recorder: Recorder, layer: type, optimizer: type) -> None:
        self.recorder, self.layer, self.optimizer = recorder, layer, optimizer
        self.kinds: dict[type, bool] = {}
        self.tokens: dict[int, Thing] = {}

    def token(self, value: Any) -> Thing | None:
        """The token of a layer or an optimizer; None for anything else."""
        kind = type(value)
        known = self.kinds.get(kind)
        if known is None:
            known = self.kinds[kind] = issubclass(kind, (self.layer, self.optimizer))
        if not known:
            return None
        thing = self.tokens.get(id(value))
        if thing is None or thing.ref() is not value:
            name = _qualified(kind)
            thing = self.tokens[id(value)] = Thing(ref(value), name)
        return thing

    def parts(self, value: Any, token: Callable[[Any], object] | None = None) -> dict[str, Any]:
        """What a layer or an optimizer holds, in tokens, without running code of the program."""
        token = token or self.recorder.token
        if isinstance(value, self.optimizer):
            groups = vars(value).get("param_groups", ())
            held = [p for group in groups for p in group.get("params", ())]
            return {"parameters": [(str(i), token(p)) for i, p in enumerate(held)]}

        def tokens(table: str) -> list[tuple[str, object]]:
            parts = vars(value).get(table)
            if not isinstance(parts, dict):  # of a script
                return []
            return [(name, token(part)) for name, part in parts.items() if part is not None]

        return {
            "layers": tokens("_modules"),
            "parameters": tokens("_parameters"),
            "buffers": tokens("_buffers"),
            "settings": _settings(value),
        }


class _Runs:
    """What is called when a layer begins and when it has ended."""

    def __init__(self, recorder: Recorder, tensors: Any) -> None:
        self.recorder, self.tensors = recorder, tensors

    def begins(self, layer: Any, operands: tuple[Any, ...]) -> object:
        """Before ``layer`` runs; what it gives is to be handed to ``ended``."""
        if self.recorder.resting():
            return None
        facts = self.recorder.facts
        versions = [_version(o) if type(o) in facts else None for o in operands]
        return next(self.recorder.clock), versions

    def ended(self, begun: Any, layer: Any, operands: tuple[Any, ...], value: Any) -> Any:
        """After it has run."""
        if begun is not None and self.tensors.tracing() is None:
            with contextlib.suppress(Exception):  # of a network that isn't made yet, or is odd
                self._tell(begun, layer, operands, value)
        return value

    def _tell(self, begun: Any, layer: Any, operands: tuple[Any, ...], value: Any) -> None:
        first, versions = begun
        recorder = self.recorder
        facts = recorder.facts
        if type(value) in facts:
            results: tuple[object, ...] = (recorder.described(value),)
        elif type(value) in recorder.space["PACKS"]:
            packs = recorder.space["PACKS"]
            results = tuple(recorder.described(v) for v in _flat(value, facts, packs))
        else:
            return
        pairs = enumerate(zip(operands, versions, strict=True))
        written = [i for i, (o, v) in pairs if v is not None and _version(o) != v]
        token = recorder.thing_held(layer)
        recorder.log.append(
            (LAYER, recorder.line(), first, next(recorder.clock), token,
             tuple(map(recorder.token, operands)), results, bool(layer.training), written)
        )  # fmt: skip


def _watch(layer: type, runs: _Runs) -> None:
    """Let calls of layers tell ``runs``."""
    function = vars(layer).get("_wrapped_call_impl")
    if isinstance(function, types.FunctionType):
        recompiled(function, _around, {_IN: runs.begins, _OUT: runs.ended})


def unwatch(layer: type) -> None:
    """Give calls of layers the code back that the library wrote."""
    function = vars(layer).get("_wrapped_call_impl")
    if isinstance(function, types.FunctionType):
        as_written(function)


def _around(function: ast.FunctionDef) -> bool:
    """Put our two calls around each call that the function returns."""
    returned = [
        node for node in ast.walk(function)
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Call)
    ]  # fmt: skip
    for node in returned:
        call = node.value
        assert call is not None
        begun = ast.Call(ast.Constant(_IN), _self_and_arguments(), [])
        told = ast.Call(ast.Constant(_OUT), [begun, *_self_and_arguments(), call], [])
        for new in (begun, told):
            for part in (new, new.func, *new.args):
                if part is not call:
                    ast.copy_location(part, call)
        node.value = told
    return bool(returned)


def _self_and_arguments() -> list[ast.expr]:
    return [ast.Name(name, ast.Load()) for name in ("self", "args")]


def _held(layer: Any, attribute: str) -> Any:
    """A parameter, buffer or layer that ``layer`` holds by a name."""
    held = vars(layer)
    for table in ("_parameters", "_buffers", "_modules"):
        parts = held.get(table)
        found = parts.get(attribute) if isinstance(parts, dict) else None  # else of a script
        if found is not None:
            return found
    return None


def _settings(layer: Any) -> str:
    """What the library's own layers show of their configuration."""
    kind = type(layer)
    if not kind.__module__.startswith("torch.nn."):
        return ""
    try:
        if kind.__name__ in _UNSHOWN:
            names = _UNSHOWN[kind.__name__]
            return ", ".join(f"{name}={getattr(layer, name)!r}" for name in names)
        return str(kind.extra_repr(layer))[:MAX_SETTINGS]
    except Exception:  # such as of a layer that isn't made yet
        return ""


def _qualified(kind: type) -> str:
    """``torch.nn.Linear`` rather than where it is defined; the program's own classes by their
    names."""
    module = kind.__module__
    for public in ("torch.nn", "torch.optim"):
        if module.startswith(public + "."):
            return f"{public}.{kind.__name__}"
    return kind.__qualname__


def _version(value: Any) -> int:
    try:
        return int(value._version)
    except (RuntimeError, AttributeError):  # not counted
        return -1


def _flat(values: Any, facts: Any, packs: Any) -> Iterator[Any]:
    """The tensors of a result: an output, and the states beside it."""
    for value in values[:8]:
        if type(value) in facts:
            yield value
        elif type(value) in packs:
            yield from (v for v in value[:8] if type(v) in facts)
