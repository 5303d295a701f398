"""What a client may send as settings, and what becomes of the rest."""

import doctest
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jit_lsp import config, uris
from jit_lsp.config import DEFAULTS, Settings, TraceOn, read_settings, section
from jit_lsp.uris import path_of, uri_of

text = st.text(st.sampled_from("ab-/ 🙂"), max_size=5)
json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | text,
    lambda inner: st.lists(inner) | st.dictionaries(text, inner),
    max_leaves=5,
)
names = st.sampled_from(["interpreter", "args", "timeout", "traceOn", "logLevel"])


@pytest.mark.parametrize("module", [config, uris])
def test_the_examples_in_the_docstrings_hold(module):
    assert doctest.testmod(module).failed == 0


def test_every_setting_is_read():
    raw = {"interpreter": "/bin/python", "args": ["-v"], "timeout": 2, "traceOn": "never"}
    assert read_settings(raw) == (Settings("/bin/python", ("-v",), 2.0, TraceOn.NEVER), [])


@pytest.mark.parametrize("raw", [{}, {"timeout": None}, {"interpreter": ""}, {"logLevel": 3}])
def test_what_is_not_set_is_the_default(raw):
    assert read_settings(raw) == (DEFAULTS, [])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("interpreter", 3),
        ("args", "-v"),
        ("args", [1]),
        ("timeout", 0),
        ("timeout", True),
        ("timeout", float("nan")),
        ("timeout", float("inf")),
        ("traceOn", "sometimes"),
        ("traceOn", ["save"]),
    ],
)
def test_a_value_that_can_not_be_used_is_named(name, value):
    settings, problems = read_settings({name: value})
    assert settings == DEFAULTS
    assert len(problems) == 1
    assert problems[0].startswith(f"jit-lsp.{name}: {value!r} ")


@given(st.dictionaries(names, json))
def test_nothing_that_json_can_hold_is_fatal(raw):
    settings, problems = read_settings(raw)
    assert len(problems) <= len(raw)
    assert settings.timeout is None or settings.timeout > 0


@given(json)
def test_a_section_is_found_or_empty(configuration):
    assert isinstance(section(configuration), dict)
    assert section({"jit-lsp": configuration, "other": 1}) == (
        configuration if isinstance(configuration, dict) else {}
    )


posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX paths")


@posix
@given(st.binary().filter(lambda raw: b"\0" not in raw))
def test_a_path_survives_as_a_uri_whatever_its_bytes(raw):
    path = "/" + raw.replace(b"/", b"").decode(errors="surrogateescape")
    if path not in ("/.", "/.."):
        assert path_of(uri_of(path)) == path


@posix
@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a%20b.py", "/a b.py"),
        ("file:///a b.py", "/a b.py"),
        ("FILE:///a.py", "/a.py"),
        ("file:/a.py", "/a.py"),
        ("file:///a#1?.py", "/a#1?.py"),
        ("file:///%C3%A9.py", "/é.py"),
        ("file:///é.py", "/é.py"),
        ("file://", None),
        ("untitled:Untitled-1", None),
        ("vscode-notebook-cell:/a.ipynb#C1", None),
        ("http://[", None),
        ("", None),
    ],
)
def test_a_uri_is_a_path_or_none(uri, path):
    assert path_of(uri) == path
