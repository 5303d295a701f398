"""From the recorder's log to frames: numbers in place of tokens, so that nothing of the program
leaves it.

An ``events`` frame has ``types``, a list of ``[dtype, shape, strides, device]`` numbered on from
the frame before (device null: one of NumPy's), and ``events``:

    [OP, site, frame, result, operands, dead]      dead: which operands were gone right after a call
    [STORE, site, frame, value, lost, operands]
    [ENTER, frame, scope]  [ITERATE, frame, loop, skipped]  [LEAVE, frame, loop, skipped]
    [ENTER, frame, scope, line, thread]            of another thread; see ``trace.Frame.line``
    [NOT_FINITE, site, frame, value, count, index, values or null]
    [REMARK, site, frame, kind, numbers]           what each kind says is in ``trace.Remark``
    [REACHED, site, frame, values]                 arrays that what a call was given holds, and that
                                                   it wrote into
    [LAYER, line, first, last, number, operands, result, training, written]
                                                   see ``trace.LayerRun``
    [HOOKED, line, frame, first, last, when, layer, given, result]   see ``trace.HookRun``; the
                                                   frame is the caller's, null where not known
    [BACKWARD, frame, nodes, passed, roots, blame, since, made, like]   see ``trace.Backward``
    [AGAIN, frame, like]
    [HOOK, site, value, code]                      see ``trace.Hook``
    [CALL, site, frame, number, closed]                         see ``trace.Event.call``
    [FOUND, value]                                 what no event had given
    [UNDER, frame, names]                          what it runs under from here on
    [STEP, frame, [[parameter, gradient], ..]]     see ``trace.Event.updated``
    [HELD, number, elements]                       see ``trace.Trace.held``

A value is ``["a", number, type, base]`` (an array; base -1: its own memory, -2: memory of something
else; with a fifth item, ``[version, node, name of node, requires a gradient, is a leaf]``, it is a
tensor), ``["s", number, dtype, value]`` (an array scalar), ``["k", value]`` (a Python number),
``["p", [..]]`` (several), ``["t", number]`` (a layer or an optimizer), ``["o", type name]`` or
null. Operands that are arrays are ``["a", number]``. A ``thing`` frame comes before the first
mention of a layer, and of those that it has.
"""

from __future__ import annotations

import base64
import os
import time
import weakref
from collections.abc import Callable, Mapping
from typing import Any

from . import recorder as rec
from .recorder import Described, Entry, Facts, Listed, Scalar, Thing
from .sites import Position, Program, Site
from .wire import (
    AGAIN,
    BACKWARD,
    CALL,
    ENTER,
    FOUND,
    HELD,
    HOOK,
    HOOKED,
    ITERATE,
    LAYER,
    LEAVE,
    NOT_FINITE,
    OP,
    REACHED,
    REMARK,
    STEP,
    STORE,
    UNDER,
    pack,
)  # fmt: skip

MOMENT = 0.05
"""Seconds of CPU time that statistics may take, at the end of a run."""
MOST_STATISTICS = 1000
"""Arrays that they are told of."""
MOST_CONTENTS = 160 << 20
"""Bytes that arrays hold, of those that are told of; as text they are a third longer."""
PIECE = 12 << 20
"""Bytes of an array in one frame."""
BATCH = 2000
"""Events of one frame; far below the size cap."""
MAX_EVENTS = 400_000
"""Events that a run sends. What comes after is counted, not sent."""

Wire = list[object] | None


class Publisher:
    """Sends what the recorder hands over."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send
        self._numbers: dict[int, tuple[object, int]] = {}
        self._count = 0
        self._types: dict[tuple[object, ...], int] = {}
        self._new_types: list[object] = []
        self.events = 0
        self.dropped = 0
        self.facts: Mapping[type, Callable[[Any], Entry]] = {}
        self.frames: Mapping[int, Mapping[int | str | None, Any]] = {}
        """What is known of each frame. These two are as the recorder has them."""
        self.parts: Callable[[Any], dict[str, Any]] = lambda thing: {}
        """What there is in a layer or an optimizer, as the recorder has it: its arrays and things
        are tokens."""

    def recorder(self) -> rec.Recorder:
        """A recorder whose log is sent here."""
        made = rec.Recorder(self.entries)
        self.facts, self.frames = made.facts, made.tokens
        self.parts = lambda thing: made.parts(thing)
        return made

    def connect(self, send: Callable[[bytes], None]) -> None:
        """Send there from now on."""
        self._send = send

    def frame(self, kind: str, /, **fields: object) -> None:
        """Send one frame of any kind."""
        self._send(pack({"t": kind, **fields}))

    def program(self, program: Program) -> None:
        """Send the static part of a file."""
        place, tables = Places(program.source), program.tables
        self.frame(
            "code",
            path=program.path,
            source=program.source,
            parts=[[[a, b] for a, b in zip(*part, strict=True)] for part in program.parts],
            sites=[self._site(tables.sites[n], place) for n in program.sites],
            scopes=[
                [s.kind, s.name, place(s.place), s.parent, s.parameters, s.locals, s.rebound]
                for s in (tables.scopes[n] for n in program.scopes)
            ],
            loops=[
                [x.scope, place(x.place), x.parent, x.target]
                for x in (tables.loops[n] for n in program.loops)
            ],
        )

    def _site(self, site: Site, place: Places) -> list[object]:
        operands = [
            [o.role, o.form, place(o.place), o.site, [o.text, *o.path], o.bracket]
            for o in site.operands
        ]
        targets = [[name, place(where)] for name, where in site.targets]
        flags = [site.certain, site.discarded, site.unpacked]
        return [
            site.kind, place(site.place), site.scope, site.loop, site.callee, *flags, operands,
            targets,
        ]  # fmt: skip

    def entries(self, log: list[Entry]) -> None:
        """Send a part of the log, in batches."""
        for start in range(0, len(log), BATCH):
            part = log[start : start + BATCH]
            self.events += len(part)
            if self.events > MAX_EVENTS:
                self.dropped += len(part)
                continue
            events = [e for entry in part if (e := self._entry(entry)) is not None]
            types, self._new_types = self._new_types, []
            self.frame("events", types=types, events=events)
        self._prune()

    def _entry(self, entry: Entry) -> Wire:
        match entry:
            case (rec.ENTER, record, scope, *where):
                return [ENTER, self._frame(record), scope, *where]
            case (rec.ITERATE, record, loop, skipped):
                return [ITERATE, self._frame(record), loop, skipped]
            case (rec.LEAVE, record, loop, skipped):
                return [LEAVE, self._frame(record), loop, skipped]
            case (rec.RETURN, record, site):
                return [OP, site, self._frame(record), None, []]
            case (rec.STORE | rec.UPDATE, record, site, target, lost, operands):
                number = self._number(target)
                return [STORE, site, self._frame(record), number, lost, self._all(operands)]
            case (rec.NOT_FINITE, record, site, token, count, first, values):
                number = self._number(token)
                return [NOT_FINITE, site, self._frame(record), number, count, first,
                        values and [_plain(v) for v in values]]  # fmt: skip
            case (rec.REMARK, record, site, kind, details):
                return [REMARK, site, self._frame(record), kind, [_plain(v) for v in details]]
            case (rec.REACHED, record, site, tokens):
                return [REACHED, site, self._frame(record), self._all(tokens)]
            case (rec.LAYER, line, first, last, layer, operands, results, training, written):
                given = self._all(results)
                result = given[0] if len(given) == 1 else ["p", given]
                return [LAYER, line, first, last, self.operand(layer), self._all(operands), result,
                        training, written]  # fmt: skip
            case (rec.HOOKED, line, by, first, last, when, layer, given, result):
                return [HOOKED, line, by and self._frame(by), first, last, when,
                        self.operand(layer), self._all(given), self.operand(result)]  # fmt: skip
            case (rec.BACKWARD, record, nodes, passed, *rest):
                told = [[number, self._all(taken), self._all(gave)]
                        for number, taken, gave in passed]  # fmt: skip
                return [BACKWARD, self._frame(record), self.nodes(nodes), told, *rest]
            case (rec.UNDER, record, names):
                return [UNDER, self._frame(record), list(names)]
            case (rec.HELD, _, token, data):
                return [HELD, token and self._number(token), base64.b64encode(data).decode()]
            case (rec.FOUND, _, described):
                return [FOUND, self.operand(described)]
            case (rec.CALL, record, site, number, closed):
                return [CALL, site, self._frame(record), number, closed]
            case (rec.HOOK, _, site, token, code):
                return [HOOK, site, self.operand(token), code]
            case (rec.AGAIN, record, like):
                return [AGAIN, self._frame(record), like]
            case (rec.STEP, record, updates):
                return [STEP, self._frame(record), [self._all(pair) for pair in updates]]
            case (rec.FORGET, _, token):
                self._numbers.pop(id(token), None)
                return None
        site, record, result, *rest = entry
        if len(rest) == 5:
            shape, dtype, strides, base, operands = rest
            value = self._array(result, shape, dtype, strides, base)
            return [OP, site, self._frame(record), value, self._all(operands)]
        if len(rest) == 2:
            dead, operands = rest
            value = None if result is None else ["p", [self._result(r) for r in result]]
            return [OP, site, self._frame(record), value, self._all(operands), dead]
        return [OP, site, self._frame(record), self.operand(result), self._all(rest[0])]

    def _result(self, part: Any) -> Wire:
        """One of several results: an array with what is known of it, an array scalar, or None."""
        return self._array(*part) if type(part) is tuple else self.operand(part)

    def _frame(self, record: Any) -> object:
        """The number of a frame."""
        return self.frames[id(record)][None]

    def _all(self, operands: Any) -> list[Wire]:
        return [self.operand(o) for o in operands]

    def _array(self, token: Any, shape: Any, dtype: Any, strides: Any, base: Any) -> Wire:
        more: list[object] = []
        if type(base) is Facts:
            base, *facts = base
            more = [facts]
        owner = -1 if base is None else -2 if isinstance(base, str) else self._number(base)
        return ["a", self._number(token), self._type(dtype, shape, strides), owner, *more]

    def nodes(self, rows: Any) -> list[Wire]:
        """The graph of gradients, as ``trace.Node`` has it."""
        return [
            [number, name, inputs, saved, self.operand(leaf),
             [self._type(kind, shape, None) for kind, shape in takes],
             [[key, self._all(tensors)] for key, tensors in kept], *map(self.operand, after)]
            for number, name, inputs, saved, leaf, takes, kept, *after in rows
        ]  # fmt: skip

    def describe(self, array: Any) -> Wire:
        """An array that is at hand rather than in the log."""
        facts = self.facts.get(type(array))
        if facts is None:
            return ["a", self._number(weakref.ref(array))]
        return self._array(*facts(array))

    def thing(self, thing: Thing) -> Wire:
        """A layer or an optimizer, which is described when it is first mentioned."""
        if id(thing) in self._numbers:
            return ["t", self._number(thing)]
        number, held = self._number(thing), thing.ref()
        fields = dict(thing.held or {}) if held is None else self.parts(held)
        for key in ("layers", "parameters", "buffers"):
            fields[key] = [[name, self.operand(part)] for name, part in fields.get(key, ())]
        self.frame("thing", number=number, kind=thing.kind, types=self.take_types(), **fields)
        return ["t", number]

    def operand(self, token: object) -> Wire:
        """An operand's token as the wire has it."""
        if token is None:
            return None
        if isinstance(token, weakref.ref):
            if id(token) not in self._numbers:  # no event gave it
                array = token()
                if array is not None:
                    return self.describe(array)
            return ["a", self._number(token)]
        if isinstance(token, Scalar):
            if token.dtype is None:
                return ["k", _plain(token.value)]
            return ["s", self._number(token), token.dtype, _plain(token.value)]
        if isinstance(token, Described):
            return self._array(*token)
        if isinstance(token, Thing):
            return self.thing(token)
        if isinstance(token, tuple):
            return ["l" if isinstance(token, Listed) else "p", self._all(token)]
        if isinstance(token, str):
            return ["o", token]
        return ["k", _plain(token)]

    def statistics(self, of: Mapping[type, Callable[[Any], Statistics]]) -> None:
        """Send what the arrays hold that are still there, the newest first, within a moment's
        time."""
        deadline = time.thread_time() + MOMENT
        found: list[object] = []
        for token, number in reversed(list(self._numbers.values())):
            array = token() if isinstance(token, weakref.ref) else None
            measure = of.get(type(array))
            if measure is None:
                continue
            if len(found) == MOST_STATISTICS or time.thread_time() > deadline:
                break
            try:
                told = measure(array)
            except Exception:  # nothing that the program has to do with
                continue
            if told is not None:
                found.append([number, *told])
        self.frame("statistics", values=found)

    def contents(self, of: Mapping[type, Callable[[Any], bytes | None]]) -> None:
        """Send what the arrays hold that are still there, the oldest first, in pieces, as far as
        a run may send."""
        left = MOST_CONTENTS
        for token, number in list(self._numbers.values()):
            array = token() if isinstance(token, weakref.ref) else None
            elements = of.get(type(array))
            if elements is None:
                continue
            try:
                data = elements(array)
            except Exception:  # nothing that the program has to do with
                continue
            if data is None or len(data) > left:
                continue
            left -= len(data)
            for start in range(0, len(data) or 1, PIECE):
                piece = base64.b64encode(data[start : start + PIECE]).decode()
                self.frame("contents", number=number, data=piece)

    def take_types(self) -> list[object]:
        """Types numbered since the last frame; a frame that mentions values must carry them."""
        types, self._new_types = self._new_types, []
        return types

    def _number(self, token: object) -> int:
        known = self._numbers.get(id(token))
        if known is not None:
            return known[1]
        self._count += 1
        self._numbers[id(token)] = (token, self._count)  # held, so that its id stays its own
        return self._count

    def _type(self, dtype: Any, shape: Any, strides: Any) -> int:
        key = (dtype, shape, strides)
        number = self._types.get(key)
        if number is None:
            number = self._types[key] = len(self._types)
            name, device = (dtype, None) if type(dtype) is str else (dtype.str, dtype.device)
            self._new_types.append([name, shape, strides, device])
        return number

    def _prune(self) -> None:
        """Forget dead arrays once they are many: no later event can name them."""
        if len(self._numbers) > 4 * BATCH:
            self._numbers = {
                key: held
                for key, held in self._numbers.items()
                if not isinstance(held[0], weakref.ref) or held[0]() is not None
                or held[1] > self._count - BATCH
            }  # fmt: skip


Statistics = tuple[
    float | None, float | None, float | None, float | None, int, int, int, bool
] | None  # fmt: skip
"""Mean, standard deviation, smallest and largest finite element; how many are zero, NaN and
infinite; whether only some were looked at. None where nothing can be said."""


class Channel:
    """Sends bytes to the server, and never harms the program: a lost connection ends the sending.

    A program may close our descriptor and open its own file under the same number; what is sent
    must never land there.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._identity = self._identify()
        self._process = os.getpid()

    def __call__(self, data: bytes) -> None:
        """Send all of ``data``, or nothing from now on."""
        if self._descriptor < 0 or os.getpid() != self._process:  # a child that the program forked
            return
        try:
            if self._identify() != self._identity:
                raise OSError("the descriptor is another file now")
            view = memoryview(data)
            while view:
                view = view[os.write(self._descriptor, view) :]
        except OSError:
            self._descriptor = -1

    def read(self) -> bytes:
        """What the server sends next; nothing where it is gone."""
        try:
            if self._descriptor < 0 or self._identify() != self._identity:
                return b""
            return os.read(self._descriptor, 1 << 18)
        except OSError:
            return b""

    def _identify(self) -> tuple[int, int]:
        status = os.fstat(self._descriptor)
        return status.st_dev, status.st_ino


class Places:
    """Positions of ``ast`` with columns turned to code points."""

    def __init__(self, source: str) -> None:
        self._lines: list[bytes] | None = None
        if not source.isascii():
            self._lines = source.replace("\r\n", "\n").replace("\r", "\n").encode().split(b"\n")

    def __call__(self, place: Position) -> Position:
        """The same place in code points."""
        if self._lines is None:
            return place
        line, column, end_line, end_column = place
        return line, self._column(line, column), end_line, self._column(end_line, end_column)

    def _column(self, line: int, column: int) -> int:
        text = self._lines[line - 1] if self._lines and line <= len(self._lines) else b""
        return len(text[:column].decode(errors="replace"))


def _plain(value: object) -> object:
    """A Python number as JSON has it; anything else by its type alone."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return value if abs(value) < 1 << 63 else "a large int"
    if isinstance(value, float):
        return value
    if isinstance(value, complex):
        return {"re": value.real, "im": value.imag}
    return type(value).__name__
