"""Real servers for the tests: a process each, over standard input and output."""

import sys

import conformance
import pytest
from lsprotocol import types as lsp
from raw_client import RawClient

METHODS = lsp.METHOD_TO_TYPES


@pytest.fixture
def raw(tmp_path):
    """A raw client, not yet initialized. What the server says to it conforms to the protocol."""
    log = tmp_path / "stderr.log"
    with log.open("wb") as stderr, RawClient(stderr) as client:
        client.log = log
        yield client
    asked = {m["id"]: m["method"] for m in client.sent if "id" in m and m.get("method") in METHODS}
    for message in client.heard:
        conformance.check_one(message, asked)


@pytest.fixture(scope="module")
def shared():
    """A raw client after the handshake, for tests that leave nothing behind."""
    with RawClient() as client:
        client.initialize()
        yield client


@pytest.fixture
def ready(raw):
    """A raw client after the handshake, whose programs run in this interpreter."""
    raw.initialize(initializationOptions={"jit-lsp": {"interpreter": sys.executable}})
    return raw
