"""What a run sent, kept as it was sent, so that a later run can go on from a point of it.

A run that goes on from where another was left sends nothing of what came before. Its tape begins
with that part of the other's: decoded with the new text's places, it is as if it had been sent
again.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from .tracer.decode import Decoder
from .tracer.wire import WireError

MOST_KEPT = 16 << 20
"""Bytes of one run that are kept. Nothing is left of a longer one."""
MOST_READ = 5000
"""Files that a program may read and still be gone on with."""
_MOST_REASONS, _MOST_PARKED, _MOST_PLACES = 10, 100, 10_000
_SIGNED = 17
"""Bytes behind a sign: what it says, and two numbers."""
_LONGEST_PATH = 4096


class Printed(NamedTuple):
    """The output up to a point of a run."""

    kept: bytes = b""
    """Up to the cap."""
    total: int = 0
    """How much it was in all."""
    places: tuple[tuple[tuple[int, int], int], ...] = ()
    """Statements, as in ``Mark.place``, and how much had been printed when each one began."""


NOTHING_PRINTED = Printed()


@dataclass(frozen=True, slots=True)
class Mark:
    """A point of a run where it was left."""

    place: tuple[int, int]
    """Before which statement, and before which one of the main function."""
    seconds: float
    """That the program had run until then."""
    frames: int
    printed: Printed
    read: int
    """How many files had been read."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How the processes of a run ended: the status as of ``waitpid``, what was said of a crash, and
    whether what was sent could not be read, or the time was over."""

    status: int
    faults: bytes
    broken: str
    timed_out: bool


@dataclass(eq=False)
class Tape:
    """One run's. ``cap`` is how much of its output is kept."""

    cap: int
    before: tuple[bytes, ...] = ()
    """Frames from before the point where it began."""
    printed: Printed = NOTHING_PRINTED
    read: dict[str, None] = field(default_factory=dict)
    """The files and folders that it has read, in order."""
    left: int | None = None
    """The exit status, once the program has nothing more to do."""
    ending: Ending | None = None
    marks: dict[int, Mark] = field(default_factory=dict)
    refused: str = ""
    """Why the run couldn't go on from where it was to."""
    unparked: list[tuple[tuple[int, int], tuple[str, ...]]] = field(default_factory=list)
    """The places where it couldn't be left, and why."""

    def __post_init__(self) -> None:
        self.sign = b"\0jit-lsp " + os.urandom(8).hex().encode() + b" "
        self.head: list[bytes] = []
        self.frames = [*self.before]
        self.kept, self.total, places = self.printed
        self._places = [*places]
        self._size = sum(map(len, self.before))
        self._pending = b""
        self._parked: dict[int, tuple[tuple[int, int], float, int, int]] = {}
        self._texts: dict[int, Printed] = {}

    # ------------------------------------------------------------------ frames

    def feed(self, body: bytes, frame: dict[str, Any], decoder: Decoder) -> None:
        """Take a frame, and let the decoder have what is to be decoded.

        Raises:
            WireError: it is not what a runner may send.
        """
        match frame:
            case {"t": "hello" | "code"} if len(self.head) < 2:  # the program's own file
                decoder.feed(frame)
                self.head.append(body)
                if len(self.head) == 2:
                    for earlier in self.before:
                        decoder.feed(json.loads(earlier))
            case {
                "t": "parked", "number": int(number), "step": int(step), "inner": int(inner),
                "seconds": float(seconds),
            }:  # fmt: skip
                if len(self._parked) < _MOST_PARKED:
                    at = len(self.frames), len(self.read)
                    self._parked[number] = ((step, inner), seconds, *at)
            case {"t": "read", "paths": list(paths)}:
                for path in paths:
                    if isinstance(path, str) and len(self.read) < MOST_READ:
                        self.read[path[:_LONGEST_PATH]] = None
            case {
                "t": "unparked",
                "step": int(step),
                "inner": int(inner),
                "reasons": list(reasons),
            }:
                if len(self.unparked) < _MOST_REASONS:
                    self.unparked.append(((step, inner), tuple(str(r)[:200] for r in reasons[:10])))
            case {"t": "left", "status": int(status)}:
                self.left = status & 0xFF
            case {"t": "refused", "reason": str(reason)}:
                self.refused = reason[:200] or "no reason"
            case {"t": "parked" | "unparked" | "read" | "left" | "refused"}:
                raise WireError(f"a malformed {frame['t']} frame")
            case _:
                decoder.feed(frame)
                self._keep(body)

    def _keep(self, body: bytes) -> None:
        self._size += len(body)
        if self._size <= MOST_KEPT:
            self.frames.append(body)
        else:
            self._parked.clear()
            self.frames.clear()

    def replay(self, decoder: Decoder) -> None:
        """Decode it all once more."""
        for body in (*self.head, *self.frames):
            decoder.feed(json.loads(body))

    @property
    def is_whole(self) -> bool:
        """Whether all that was sent has been kept."""
        return self._size <= MOST_KEPT

    # ------------------------------------------------------------------ output

    def print(self, data: bytes) -> None:
        """Take output. The signs in it say what was printed before a statement began, and before
        the run was left."""
        data = self._pending + data
        length = len(self.sign) + _SIGNED
        while (found := data.find(self.sign)) >= 0:
            if len(data) < found + length:
                break
            self._add(data[:found])
            self._note(data[found + len(self.sign) : found + length])
            data = data[found + length :]
        held = found if found >= 0 else _begun(data, self.sign)
        self._add(data[:held])
        self._pending = data[held:]

    def _note(self, signed: bytes) -> None:
        kind, one, other = signed[:1], signed[1:9], signed[9:]
        if not (one.isdigit() and other.isdigit()):
            return
        if kind == b"p":
            self._texts[int(one)] = Printed(bytes(self.kept), self.total, tuple(self._places))
        elif kind == b"s" and len(self._places) < _MOST_PLACES:
            place = int(one), int(other)
            if self._places and self._places[-1][1] == self.total:
                self._places.pop()  # the one before it printed nothing
            self._places.append((place, self.total))

    @property
    def pieces(self) -> list[tuple[tuple[int, int] | None, bytes]]:
        """The output in the pieces that statements printed; None for what came before the first."""
        starts = [(None, 0), *self._places]
        ends = [start for _, start in self._places] + [len(self.kept)]
        cut = [
            (place, bytes(self.kept[start:end]))
            for (place, start), end in zip(starts, ends, strict=True)
        ]
        return [(place, piece) for place, piece in cut if piece]

    def _add(self, data: bytes) -> None:
        self.kept += data[: max(0, self.cap - len(self.kept))]
        self.total += len(data)

    def end(self, ending: Ending) -> None:
        """Nothing more comes."""
        self.ending = ending
        self._add(self._pending)
        self._pending = b""
        for number, (place, seconds, frames, read) in self._parked.items():
            if number in self._texts and self.is_whole:
                self.marks[number] = Mark(place, seconds, frames, self._texts[number], read)

    def until(self, number: int) -> Tape:
        """A new tape, for a run that goes on from where this one was left."""
        mark = self.marks[number]
        read = dict.fromkeys(islice(self.read, mark.read))
        return Tape(self.cap, tuple(self.frames[: mark.frames]), mark.printed, read)


def _begun(data: bytes, sign: bytes) -> int:
    """Where a sign may have begun that isn't complete, else the end."""
    start = data.rfind(sign[:1], max(0, len(data) - len(sign) - _SIGNED))
    return start if start >= 0 and sign.startswith(data[start:]) else len(data)
