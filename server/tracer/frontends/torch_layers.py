"""Layers of PyTorch: which ran, in what order and inside which, and what they are made of.

A layer may be called by a file that isn't recorded, such as a container of PyTorch's own. So the
one method that all calls of layers come through, ``Module.__call__``, gets code that has the same
text and positions and two calls of ours beside the one that it makes: tracebacks, ``inspect`` and
the function object stay what they are. Those two do nothing while a plain twin runs.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any
from weakref import ref

from ..recorder import LAYER, Recorder, Thing

_IN, _OUT = b"\0jit-lsp:in", b"\0jit-lsp:out"
MAX_SETTINGS = 400
"""Characters of what a layer says of its configuration."""


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
    _watch(layer, _Runs(recorder, torch, tensors))
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

    def parts(self, value: Any) -> dict[str, Any]:
        """What a layer or an optimizer holds, in tokens, without running code of the program."""
        if isinstance(value, self.optimizer):
            groups = vars(value).get("param_groups", ())
            held = [p for group in groups for p in group.get("params", ())]
            token = self.recorder.token
            return {"parameters": [(str(i), token(p)) for i, p in enumerate(held)]}
        return {
            "layers": list(self._tokens(value, "_modules")),
            "parameters": list(self._tokens(value, "_parameters")),
            "buffers": list(self._tokens(value, "_buffers")),
            "settings": _settings(value),
        }

    def _tokens(self, value: Any, table: str) -> Iterator[tuple[str, object]]:
        for name, part in vars(value).get(table, {}).items():
            if part is not None:
                yield name, self.recorder.token(part)


class _Runs:
    """What is called when a layer begins and when it has ended."""

    def __init__(self, recorder: Recorder, torch: Any, tensors: Any) -> None:
        self.recorder, self.tensors = recorder, tensors
        self.parameter = torch.nn.Parameter
        self.clock = 0
        self.running: list[Any] = []

    def begins(self, layer: Any, operands: tuple[Any, ...]) -> object:
        """Before ``layer`` runs; what it gives is to be handed to ``ended``."""
        if self.recorder.resting():
            return None
        self.clock += 1
        facts = self.recorder.facts
        return self.clock, [_version(o) if type(o) in facts else None for o in operands]

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
        elif type(value) in (tuple, list):
            results = tuple(recorder.described(v) for v in _flat(value, facts))
        else:
            return
        self.clock += 1
        pairs = enumerate(zip(operands, versions, strict=True))
        written = [i for i, (o, v) in pairs if v is not None and _version(o) != v]
        recorder.log.append(
            (LAYER, None, first, self.clock, recorder.token(layer),
             tuple(map(recorder.token, operands)), results, bool(layer.training), written)
        )  # fmt: skip


def _watch(layer: type, runs: _Runs) -> None:
    """Let calls of layers tell ``runs``."""
    function = vars(layer).get("_wrapped_call_impl")
    if not isinstance(function, types.FunctionType):
        return
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError):  # without its source it stays as it is
        return
    text = "\n" * (first - 2) + "class _:\n" + "".join(lines)
    tree = ast.parse(text)
    wrapped = 0
    for node in ast.walk(tree):
        if not isinstance(node, ast.Return) or not isinstance(node.value, ast.Call):
            continue
        call = node.value
        places: dict[str, Any] = {
            "lineno": call.lineno, "col_offset": call.col_offset,
            "end_lineno": call.end_lineno, "end_col_offset": call.end_col_offset,
        }  # fmt: skip

        def at(new: Any, places: dict[str, Any] = places) -> Any:
            for name, place in places.items():
                setattr(new, name, place)
            return new

        def both(places: Callable[..., Any] = at) -> list[Any]:
            return [places(ast.Name(name, ast.Load())) for name in ("self", "args")]

        begun = at(ast.Call(at(ast.Constant(_IN)), both(), []))
        node.value = at(ast.Call(at(ast.Constant(_OUT)), [begun, *both(), call], []))
        wrapped += 1
    if not wrapped:
        return
    swaps = {_IN: runs.begins, _OUT: runs.ended}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="'bytes' object is not", category=SyntaxWarning)
        whole = compile(tree, function.__code__.co_filename, "exec")
    code = _inner(whole, function.__name__)
    if code is not None and code.co_freevars == function.__code__.co_freevars:
        constants = tuple(swaps.get(c, c) if type(c) is bytes else c for c in code.co_consts)
        name = function.__code__.co_qualname
        function.__code__ = code.replace(co_consts=constants, co_qualname=name)


def _inner(code: types.CodeType, name: str) -> types.CodeType | None:
    """The code of the function called ``name`` somewhere inside."""
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found = constant if constant.co_name == name else _inner(constant, name)
            if found is not None:
                return found
    return None


def _held(layer: Any, attribute: str) -> Any:
    """A parameter, buffer or layer that ``layer`` holds by a name."""
    held = vars(layer)
    for table in ("_parameters", "_buffers", "_modules"):
        found = held.get(table, {}).get(attribute)
        if found is not None:
            return found
    return None


def _settings(layer: Any) -> str:
    """What the library's own layers show of their configuration."""
    kind = type(layer)
    if not kind.__module__.startswith("torch.nn."):
        return ""
    try:
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


def _flat(values: Any, facts: Any) -> Iterator[Any]:
    """The tensors of a result: an output, and the states beside it."""
    for value in values[:8]:
        if type(value) in facts:
            yield value
        elif type(value) in (tuple, list):
            yield from (v for v in value[:8] if type(v) in facts)
