"""The frames between server and worker: the one module that both sides of the process boundary
share.

A frame is a length (four bytes, big-endian) and that many bytes of JSON, an object whose ``"t"``
names its kind. The server sends one ``run`` frame; the worker answers with ``hello``, then any
number of ``code``, ``events`` and ``failure``, then ``done``. Everything a worker sends is hostile:
lengths are capped before memory is taken, and ``decode`` checks every field before it is used.
"""

from __future__ import annotations

import json
import struct

VERSION = 1
MAX_FRAME = 32 << 20
"""Bytes of one frame. A worker splits its batches far below it."""
MAX_RUN = 256 << 20
"""Bytes of all frames of one run. What comes after is not read."""

OP, ENTER, ITERATE, STORE, NOT_FINITE, LEAVE, REMARK = range(7)
LAYER, BACKWARD, STEP, UNDER, REACHED, HELD, AGAIN, FOUND, HOOK, HOOKED, CALL = range(7, 18)
"""Kinds of entries in an ``events`` frame; ``publish`` says what each holds."""


class WireError(Exception):
    """The other side sent something that no frame can be."""


def pack(frame: dict[str, object]) -> bytes:
    """The bytes of one frame.

    Raises:
        WireError: the frame is larger than ``MAX_FRAME``.
    """
    body = json.dumps(frame, separators=(",", ":"), ensure_ascii=True).encode("ascii")
    if len(body) > MAX_FRAME:
        raise WireError(f"a frame of {len(body)} bytes is larger than {MAX_FRAME}")
    return struct.pack(">I", len(body)) + body


class Unpacker:
    """Turns the bytes of a stream, in pieces of any size, into frames."""

    def __init__(self, most: int = MAX_RUN) -> None:
        self.most = most
        self.total = 0
        """Bytes that came so far, of at most ``most``."""
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[dict[str, object]]:
        """The frames that ``data`` completes.

        Raises:
            WireError: a frame or the run is too long, is not JSON, or is no object with a kind.
        """
        return [frame for _, frame in self.feed_bodies(data)]

    def feed_bodies(self, data: bytes) -> list[tuple[bytes, dict[str, object]]]:
        """The same, each with the bytes of its body."""
        self._buffer += data
        self.total += len(data)
        if self.total > self.most:
            raise WireError(f"a run sent more than {self.most} bytes")
        frames = []
        while (frame := self._next()) is not None:
            frames.append(frame)
        return frames

    def _next(self) -> tuple[bytes, dict[str, object]] | None:
        if len(self._buffer) < 4:
            return None
        (length,) = struct.unpack_from(">I", self._buffer)
        if length > MAX_FRAME:
            raise WireError(f"a frame of {length} bytes is larger than {MAX_FRAME}")
        if len(self._buffer) < 4 + length:
            return None
        body = bytes(self._buffer[4 : 4 + length])
        del self._buffer[: 4 + length]
        try:
            frame = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise WireError(f"a frame is not JSON: {error}") from None
        if not isinstance(frame, dict) or not isinstance(frame.get("t"), str):
            raise WireError("a frame is not an object with a kind")
        return body, frame
