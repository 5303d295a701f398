"""A debugger sees the same lines, in the same order, as in the plain program."""

import sys
from pathlib import Path

import pytest

from jit_lsp.tracer.instrument import instrument
from jit_lsp.tracer.recorder import Recorder

PROGRAM = Path(__file__).parents[2] / "programs" / "multiline.py"


def lines(code, path):
    """The line events of a program and its functions, up to where it ends."""
    seen = []

    def trace(frame, event, argument):
        if frame.f_code.co_filename != path:
            return None
        if event == "line":
            seen.append(frame.f_lineno)
        return trace

    plain = sys.gettrace()
    sys.settrace(trace)
    try:
        exec(code, {"__name__": "__main__", "__file__": path})
    finally:
        sys.settrace(plain)
    return seen


@pytest.mark.parametrize("twins", [False, True])
def test_lines_are_seen_in_order(twins):
    source, path = PROGRAM.read_text(encoding="utf-8"), str(PROGRAM)
    plain = lines(compile(source, path, "exec"), path)
    recorder = Recorder(lambda entries: None)
    recorded = instrument(source, path, twins=twins)
    code = recorded.code(lambda key: recorder.resolve(key, path))
    assert len(plain) > 150
    assert lines(code, path) == plain
