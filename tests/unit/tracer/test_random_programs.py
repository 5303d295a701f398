"""Random programs do the same recorded as plain: output, exceptions with their tracebacks,
warnings, and what their names hold in the end."""

import contextlib
import io
import re
import types
import warnings
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_python import Writer

from jit_lsp.tracer import frontends
from jit_lsp.tracer.instrument import instrument
from jit_lsp.tracer.publish import Publisher

PATH = "<program>"


def recorded(source, twins):
    recorder = Publisher(lambda data: None).recorder()
    recorder.frontends = [f for f in frontends.ALL if not f(recorder)]
    code = instrument(source, PATH, twins=twins).code(lambda key: recorder.resolve(key, PATH))
    return code, recorder.flush


def outcome(code, flush=lambda: None):
    """All that can be seen of a run."""
    names = {"__name__": "__main__"}
    output, error = io.StringIO(), None
    with warnings.catch_warnings(record=True) as warned, contextlib.redirect_stdout(output):
        warnings.simplefilter("always")
        try:
            exec(code, names)
        except Exception as raised:
            error = raised
        flush()
    said = [(w.category.__name__, str(w.message), w.lineno) for w in warned]
    return {
        "output": re.sub("0x[0-9a-f]+", "0x", output.getvalue()),
        "error": chain(error),
        "warnings": said,
        "names": {name: described(value) for name, value in names.items() if name[0] != "_"},
    }


def chain(error):
    """An exception, and those that led to it, with the places that each went through."""
    found = []
    while error is not None:
        places, tb = [], error.__traceback__
        while tb is not None:
            code = tb.tb_frame.f_code
            if code.co_filename == PATH:
                at = list(code.co_positions())[tb.tb_lasti // 2]
                seen = sorted(tb.tb_frame.f_locals) if code.co_name != "<module>" else []
                places.append((code.co_qualname, tb.tb_lineno, at, seen))
            tb = tb.tb_next
        found.append((type(error).__name__, re.sub("0x[0-9a-f]+", "0x", str(error)), places))
        error = error.__cause__ or error.__context__
    return found


def described(value, depth=4):
    """What a value is, in a form that compares."""
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            return "array", value.shape, depth and [described(v, depth - 1) for v in value.flat]
        return "array", str(value.dtype), value.shape, value.strides, value.tobytes()
    if isinstance(value, list | tuple):
        return type(value).__name__, depth and [described(v, depth - 1) for v in value]
    if isinstance(value, dict):
        return {k: depth and described(v, depth - 1) for k, v in value.items()}
    if isinstance(value, types.FunctionType):
        code = value.__code__
        return code.co_qualname, code.co_firstlineno, code.co_argcount, value.__defaults__ is None
    if isinstance(value, int | float | str | np.generic):
        return type(value).__name__, str(value)
    if hasattr(value, "__dict__") and not isinstance(value, type | types.ModuleType) and depth:
        return type(value).__name__, described(vars(value), depth - 1)
    return type(value).__name__


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1 << 32), st.integers(1, 8))
def test_recorded_as_plain(seed, size):
    source = Writer(Random(seed)).program(size)
    try:
        plain = compile(source, PATH, "exec")
    except SyntaxError:  # such as a walrus that rebinds what a comprehension iterates over
        return
    expected = outcome(plain)
    for twins in (True, False):
        assert outcome(*recorded(source, twins)) == expected, source
