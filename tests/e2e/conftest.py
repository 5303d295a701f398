"""Real servers for the tests: a process each, over standard input and output."""

import sys

import pytest
from raw_client import RawClient


@pytest.fixture
def raw(tmp_path):
    """A raw client, not yet initialized, that must leave nothing on standard error."""
    log = tmp_path / "stderr.log"
    with log.open("wb") as stderr, RawClient(stderr) as client:
        client.log = log
        yield client


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
