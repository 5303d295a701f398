"""Calls of a run that has ended are made again, with the arrays that the server sends.

The server asks, one call at a time; the answer has what the call gave, and which of the blocks of
memory that it was given are others now. A call whose effects reach beyond arrays isn't made again,
nor one that has turned out to give something else for the same.
"""

from __future__ import annotations

import base64
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from . import audit
from .backward import Derivative
from .calls import Call, Calls, Gap, Refused, called
from .passed import KEPT, MOST_BYTES, Memory, Packer, Unpassable, room, unpack
from .publish import PIECE, Channel
from .sites import Site
from .wire import Unpacker, pack

RELATIVE = 1e-5
"""Of the largest number around: what two calls with the same may differ in."""


def answer(channel: Channel, calls: Calls, site_of: Callable[[int], Site]) -> None:
    """Answer until the server has no more to ask."""
    calls.over = True
    asked = _Asked(calls, site_of)
    audit.install((), (), asked.noticed, lambda: asked.busy)
    frames = _frames(channel)
    for request in frames:
        np = sys.modules.get("numpy")
        try:
            blocks = room(request["blocks"], np)
            for block in blocks:
                _fill(block, frames)
            values, made, changed = asked.answer(request, blocks, np)
            sent = [*(blocks[i] for i in changed), *(memory.bytes for memory in made)]
            channel(pack({
                "t": "answer", "values": values, "changed": changed, "note": asked.note,
                "blocks": [[block.nbytes, 0] for block in sent],
            }))  # fmt: skip
            for block in sent:
                for piece in pieces(block):
                    channel(piece)
        except (Refused, Unpassable) as error:
            channel(pack({"t": "refused", "reason": str(error)[:1000]}))
        except Exception as error:  # such as a tensor that isn't in the memory of this machine
            reason = f"what it takes or gives can't be passed on: {_text(error)}"
            channel(pack({"t": "refused", "reason": reason[:1000]}))


def pieces(block: Any) -> Iterator[bytes]:
    """The frames of a block of bytes."""
    for start in range(0, block.nbytes, PIECE):
        data = base64.b64encode(block[start : start + PIECE].tobytes()).decode()
        yield pack({"t": "block", "data": data})


def _fill(block: Any, frames: Iterator[dict[str, Any]]) -> None:
    at = 0
    while at < block.nbytes:
        data = base64.b64decode(next(frames)["data"])
        block[at : at + len(data)] = memoryview(data)
        at += len(data)


def _frames(channel: Channel) -> Iterator[dict[str, Any]]:
    unpacker = Unpacker(4 * MOST_BYTES)
    while data := channel.read():
        for frame in unpacker.feed(data):
            yield frame
            if frame["t"] == "call":
                unpacker.total = 0


class _Asked:
    """What is known of calls while they are made again."""

    def __init__(self, calls: Calls, site_of: Callable[[int], Site]) -> None:
        self.calls, self.site_of = calls, site_of
        self.busy = False
        self.effect = self.note = ""
        self.checked: dict[int, str] = {}
        """Why a call can't be made again; empty for those that can."""

    def noticed(self, event: str) -> None:
        """Something that reaches beyond arrays was tried."""
        network, files = event.startswith("socket."), event == "open" or event in audit.WRITERS
        what = "writes files" if files else "starts or ends programs"
        self.effect = "uses the network" if network else what

    def answer(
        self, request: dict[str, Any], blocks: list[Any], np: Any
    ) -> tuple[list[Any], list[Memory], list[int]]:
        """What a call gives: values, the memory that is new in them, which blocks are changed."""
        call, self.note = self.calls.known[request["number"]], ""
        self.check(call, np)
        before = [block.tobytes() for block in blocks]
        values = [unpack(value, blocks, np) for value in request["values"]]
        held = self.held(call, values[len(self.roles(call)) :])
        del values[len(self.roles(call)) :]
        named = {name: unpack(value, blocks, np) for name, value in request["named"]}
        taken = self.taken(call, values, named)
        arguments = [
            _like(kept, value, takes_part=not request["mutates"])
            for kept, value in zip(call.given, taken, strict=True)
        ]
        if "by" in request:
            levels = [unpack(level, blocks, np) for level in request["levels"]]
            derivative = Derivative(self, call, arguments, list(named))
            results = derivative(request["by"], levels, request["wanted"])
            self.note = derivative.note
        else:
            results = self.calls.results(self.made(call, arguments))
            if call.is_block:
                results = [r for r in results if not any(r is given for given in arguments)]
        results = [self.calls.plain(result) for result in results]
        for own, array in held:
            array[...] = own
            if any(isinstance(r, np.ndarray) and np.may_share_memory(r, own) for r in results):
                raise Refused("it gives a part of an array that an object holds")
        memory = [Memory(*_bounds(block), [block], np) for block in blocks]
        packer = Packer(np, memory)
        packed = packer.pack(results)
        changed = [i for i, b in enumerate(blocks) if b.tobytes() != before[i]]
        return packed, packer.blocks, changed

    def made(self, call: Call, arguments: Sequence[Any]) -> Any:
        """What a call gives for these in its places."""
        return self.run(lambda: called(call.function, call.places, arguments))

    def run(self, function: Callable[[], Any]) -> Any:
        """Run code of the program, which can't reach beyond arrays."""
        self.effect, self.busy = "", True
        try:
            result = function()
        except Refused:
            raise
        except BaseException as error:
            if not self.effect:
                raise Refused(f"it raised {type(error).__name__}: {_text(error)}") from None
        finally:
            self.busy = False
        if self.effect:
            raise Refused(f"it {self.effect}, which isn't done again")
        return result

    def taken(self, call: Call, values: list[Any], named: dict[str, Any]) -> list[Any]:
        """What a call takes at each of its places: what is given for it, or as it was kept."""
        roles = self.roles(call)
        if len(values) < len(roles) or call.places.count("*") > 1:
            raise Refused("its arguments aren't all known one by one")
        known: dict[str, Any] = dict(zip(roles, values, strict=True)) | named
        found = []
        for place, kept in zip(call.places, call.given, strict=True):
            value = known.get(str(place), KEPT)
            if value is KEPT and isinstance(kept, Gap):
                raise Refused(f"it takes arrays, as {_said(place)}, that the graph doesn't know")
            if value is KEPT and place in call.varies:
                raise Refused(f"it took different numbers, as {_said(place)}, in the run")
            found.append(_completed(value, kept))
        return found

    def held(self, call: Call, given: Sequence[Any]) -> list[tuple[Any, Any]]:
        """The arrays that objects hold and a call writes into, which are as ``given`` from here on;
        each with the one that is given for it."""
        arrays = [array for token in call.reached if (array := token()) is not None]
        if not given:
            return []
        own = [self.calls.plain(array) for array in arrays]
        if [a.shape for a in own] != [a.shape for a in given]:
            raise Refused("it writes into arrays of an object, which are gone")
        for mine, array in zip(own, given, strict=True):
            mine[...] = array
        return list(zip(own, given, strict=True))

    def roles(self, call: Call) -> list[str]:
        """What the arguments that aren't given by name stand for in the graph, in order."""
        roles = [role for role, _ in groupby(o.role for o in self.site_of(call.site).operands)]
        return [role for role in roles if role.isdigit() or role in ("self", "*")]

    def check(self, call: Call, np: Any) -> None:
        """Whether a call gives the same again for what it was first given."""
        if call.number not in self.checked:
            try:
                self.checked[call.number] = call.why or self.differs(call, np)
            except Refused as error:
                self.checked[call.number] = str(error)
        if self.checked[call.number]:
            raise Refused(self.checked[call.number])

    def differs(self, call: Call, np: Any) -> str:
        """In what, for what it was first given; nothing where that isn't known."""
        sample = call.sample
        if sample is None or sample.came is None:
            return ""
        blocks = room([(len(data), phase) for data, phase in sample.went_bytes], np)
        for block, (data, _) in zip(blocks, sample.went_bytes, strict=True):
            block[:] = memoryview(data)
        went = [unpack(value, blocks, np) for value in sample.went]
        arrays = iter(went)
        changes = sample.after != [data for data, _ in sample.went_bytes]
        arguments = [
            _like(kept, next(arrays), takes_part=not changes) if isinstance(kept, Gap) else kept
            for kept in call.given
        ]
        results = self.calls.results(self.made(call, arguments))
        came = [unpack(value, [_bytes(b, np) for b in sample.came_bytes], np)
                for value in sample.came]  # fmt: skip
        after = [unpack(value, [_bytes(b, np) for b in sample.after], np) for value in sample.went]
        now = [self.calls.plain(result) for result in results]
        if _same(now, came, np) and _same(went, after, np):
            return ""
        return (
            "it gives something else when it is called again with the same: random numbers, or "
            "what it keeps or reads has changed"
        )


def _like(kept: Any, value: Any, *, takes_part: bool) -> Any:
    """A value as one of the kind that was there in the run."""
    if not isinstance(kept, Gap):
        is_other = isinstance(kept, int | float | complex) and type(value) is not type(kept)
        return type(kept)(value) if is_other and kept is not None else value
    if kept.items is not None and isinstance(value, tuple | list):
        items = [_like(k, v, takes_part=takes_part) for k, v in zip(kept.items, value, strict=True)]
        return items if kept.kind is list else tuple(items)
    torch: Any = sys.modules.get("torch")
    if torch is None or not issubclass(kept.kind, torch.Tensor):
        return value
    return torch.from_numpy(value).requires_grad_(takes_part and kept.takes_part)


def _completed(value: Any, kept: Any) -> Any:
    """A value, with what was kept in the places that the graph has nothing for."""
    if value is KEPT:
        if isinstance(kept, Gap):
            raise Refused("it takes arrays in a list or tuple that the graph doesn't know")
        return kept
    if isinstance(value, tuple | list):
        items = kept.items or () if isinstance(kept, Gap) else kept
        pairs = zip(value, (*items, *[None] * len(value)), strict=False)
        return type(value)([_completed(item, known) for item, known in pairs])
    return value


def _same(these: Any, those: Any, np: Any) -> bool:
    """Whether values are equal but for rounding."""
    if isinstance(these, tuple | list):
        return len(these) == len(those) and all(
            _same(a, b, np) for a, b in zip(these, those, strict=True)
        )
    if not isinstance(these, np.ndarray | np.generic):
        return bool(these == those) or these != these
    if these.shape != those.shape or these.dtype != those.dtype:
        return False
    if these.dtype.kind not in "fc":
        return bool((these == those).all())
    finite = np.abs(these[np.isfinite(these)])
    most = finite.max() if finite.size else 0
    with np.errstate(all="ignore"):
        return bool(np.allclose(these, those, 0, RELATIVE * most, equal_nan=True))


def _bytes(data: bytes, np: Any) -> Any:
    return np.frombuffer(data, np.uint8)


def _bounds(block: Any) -> tuple[int, int]:
    low: int = block.__array_interface__["data"][0]
    return low, low + block.nbytes


def _said(place: int | str) -> str:
    return f"argument {place + 1}" if isinstance(place, int) else f"argument {place}"


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return ""
