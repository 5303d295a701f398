"""Thousands of messages that no client should send: each request gets exactly one answer.

``./dev bench fuzz`` sends many more.
"""

import fuzzing
import pytest
from raw_client import RawClient

MESSAGES = 1500


@pytest.mark.parametrize("seed", range(3))
def test_every_request_is_answered_once_and_nothing_else_is(seed):
    with RawClient() as client:
        client.initialize(initializationOptions={"jit-lsp": {"traceOn": "command"}})
        fuzzing.session(client, seed, MESSAGES)
