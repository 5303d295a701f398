"""Frames in every shape that a client may send, and the end of a client."""

import io
import subprocess
import sys
import threading

import pytest

from jit_lsp.transport import read_messages, watch_process

BODY = b'{"id": 1}'


@pytest.mark.parametrize(
    "header",
    [
        b"Content-Length: 9\r\n\r\n",
        b"content-length: 9\r\n\r\n",
        b"CONTENT-LENGTH:9\r\n\r\n",
        b"Content-Length: 9\n\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 9\r\n\r\n",
        b"Content-Length: 9\r\nContent-Type: application/vscode-jsonrpc\r\n\r\n",
        b"Content-Length: nine\r\nContent-Length: 9\r\n\r\n",
        b"Content-Length: -9\r\n\r\nContent-Length: 9\r\n\r\n",
        b"Content-Length: " + b"9" * 5000 + b"\r\n\r\nContent-Length: 9\r\n\r\n",
        b"no header at all\r\n\r\nContent-Length: 9\r\n\r\n",
        b"x" * 100_000 + b"\r\nContent-Length: 9\r\n\r\n",
        b"\r\n\r\nContent-Length: 9\r\n\r\n",
    ],
)
def test_a_message_is_found_behind(header):
    stream = io.BytesIO((header + BODY) * 2)
    assert list(read_messages(stream)) == [BODY, BODY]


@pytest.mark.parametrize("cut", [0, 5, 16, 18, 21, 23, 28])
def test_an_input_that_ends_early_ends_the_messages(cut):
    message = b"Content-Length: 9\r\n\r\n" + BODY
    assert list(read_messages(io.BytesIO((message + message)[: len(message) + cut]))) == [BODY]


def test_a_message_beyond_the_limit_is_skipped_and_stands_as_an_empty_one():
    huge = 65 << 20
    stream = io.BytesIO(b"Content-Length: %d\r\n\r\n" % huge + bytes(huge))
    stream.seek(0, io.SEEK_END)
    stream.write(b"Content-Length: 9\r\n\r\n" + BODY)
    stream.seek(0)
    assert list(read_messages(stream)) == [b"", BODY]
    assert list(read_messages(io.BytesIO(b"Content-Length: %d\r\n\r\n{" % huge))) == []


def test_the_end_of_a_process_is_noticed_though_nobody_reaps_it():
    gone = threading.Event()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        watch_process(process.pid, gone.set)
        assert not gone.wait(0.05)
        process.stdin.close()
        assert gone.wait(10)


def test_a_process_that_can_not_be_seen_is_not_watched():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    before = threading.active_count()
    watch_process(process.pid, lambda: pytest.fail("called"))
    assert threading.active_count() == before
