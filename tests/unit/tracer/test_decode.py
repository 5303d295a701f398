"""Whatever a worker sends, the server has a trace or a WireError: never another exception."""

import copy
import json
import socket
import subprocess
import sys
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jit_lsp.doc.source import Source
from jit_lsp.supervisor import BOOT
from jit_lsp.tracer import wire
from jit_lsp.tracer.decode import Decoder

PROGRAM = """
import numpy as np
def f(a):
    a[0] = 1
    return a * 2, a.sum()
for i in range(5):
    x, s = f(np.ones(3) + i)
y = x / np.zeros(3) * 0
counts = np.zeros(3, np.uint8) - 1
counts[[0, 1]] = x[:2] / 3
x @ np.ones((2, 2))
"""


@pytest.fixture(scope="module")
def frames(tmp_path_factory):
    """The frames that a real worker sends."""
    path = str(tmp_path_factory.mktemp("worker") / "program.py")
    ours, theirs = socket.socketpair()
    command = [sys.executable, str(BOOT), str(theirs.fileno()), "2"]
    with subprocess.Popen(command, pass_fds=[theirs.fileno()], stderr=subprocess.DEVNULL) as worker:
        theirs.close()
        request = {"t": "run", "path": path, "source": PROGRAM, "limits": None, "project": ""}
        ours.sendall(wire.pack(request))
        unpacker, found = wire.Unpacker(), []
        while data := ours.recv(1 << 16):
            found += unpacker.feed(data)
        worker.wait(30)
    ours.close()
    kinds = [f["t"] for f in found]
    assert kinds == ["hello", "code", "events", "failure", "statistics", "done"]
    return found


def decode(frames):
    decoder = Decoder("program.py", {"program.py": Source("program.py", PROGRAM)})
    for frame in frames:
        decoder.feed(frame)
    return decoder


def test_real_frames_decode(frames):
    decoder = decode(frames)
    assert decoder.done.status == "raised"
    assert len(decoder.trace.events) > 20
    assert decoder.trace.failure.site is not None


def places(value, path=()):
    """Paths to everything inside a frame."""
    yield path
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, item in items:
        yield from places(item, (*path, key))


WRONG = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=3),
    st.lists(st.integers(), max_size=3), st.builds(dict), st.builds(lambda: {"a": []}),
)  # fmt: skip


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_change_decodes_or_is_refused(frames, data):
    changed = copy.deepcopy(frames)
    for _ in range(data.draw(st.integers(1, 3))):
        frame = data.draw(st.integers(0, len(changed) - 1))
        path = data.draw(st.sampled_from([p for p in places(changed[frame]) if p]))
        holder = changed[frame]
        for key in path[:-1]:
            holder = holder[key]
        if data.draw(st.booleans()) and isinstance(holder, list):
            del holder[path[-1]]
        else:
            holder[path[-1]] = data.draw(WRONG)
    with suppress(wire.WireError):
        decode([f for f in changed if isinstance(f.get("t"), str)])


@settings(max_examples=200, deadline=None)
@given(st.lists(st.binary(max_size=60), max_size=5))
def test_any_bytes_are_frames_or_refused(pieces):
    unpacker = wire.Unpacker()
    with suppress(wire.WireError):
        for piece in pieces:
            for frame in unpacker.feed(piece):
                assert isinstance(frame["t"], str)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(1, 40), max_size=30))
def test_frames_come_out_of_pieces_of_any_size(sizes):
    sent = [{"t": "events", "n": i, "text": "é\n" * i} for i in range(6)]
    stream = b"".join(map(wire.pack, sent))
    unpacker, got = wire.Unpacker(), []
    for size in sizes:
        got += unpacker.feed(stream[:size])
        stream = stream[size:]
    got += unpacker.feed(stream)
    assert got == sent


def test_a_length_is_refused_before_memory_is_taken():
    with pytest.raises(wire.WireError, match="larger"):
        wire.Unpacker().feed((wire.MAX_FRAME + 1).to_bytes(4, "big"))


def test_what_json_can_say_is_not_yet_a_frame():
    for body in (b"[]", b'{"t": 1}', b"{}", b"nul", b"\xff", b"[" * 100_000):
        with pytest.raises(wire.WireError):
            wire.Unpacker().feed(len(body).to_bytes(4, "big") + body)
    assert json.loads(wire.pack({"t": "x"})[4:]) == {"t": "x"}
