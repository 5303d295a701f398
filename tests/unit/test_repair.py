"""Fixes: what edits do to a text, what is kept of a run with them, and how a file is written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jit_lsp.diagnostics.model import Edit
from jit_lsp.doc.source import Source, Span
from jit_lsp.positions import split_lines
from jit_lsp.repair import diff, edited, first_fix, repair, save

CAST = "import numpy as np\n\nt = np.arange(5)\nt *= 0.5\n"
MENDED = "import numpy as np\n\nt = np.arange(5)\nt = t * 0.5\n"
TEXTS = st.text(alphabet="ab=é𝒳 \n\r\x0c\u2028", max_size=40)


@given(TEXTS, st.data())
def test_edits_replace_what_their_spans_cover(text, data):
    lines = Source("x", text).lines
    places = [(n, c) for n, line in enumerate(lines, 1) for c in range(len(line) + 1)]
    ends = sorted(data.draw(st.lists(st.sampled_from(places), min_size=4, max_size=4, unique=True)
                            if len(places) > 3 else st.just([])))  # fmt: skip
    pairs = [(ends[0], ends[1]), (ends[2], ends[3])] if ends else []
    edits = [Edit(Span("x", *a, *b), "Q") for a, b in pairs]
    after = edited(text, edits)
    kept = [text] if not edits else []
    if edits:
        starts = [0]
        for line in split_lines(text):
            starts.append(starts[-1] + len(line))
        at = [starts[line - 1] + column for line, column in ends]
        kept = [text[: at[0]], text[at[1] : at[2]], text[at[3] :]]
    assert after == "Q".join(kept)


def test_new_lines_end_as_those_around():
    edit = Edit(Span("x", 2, 0, 2, 1), "b\nc")
    assert edited("a\r\nb\r\n", [edit]) == "a\r\nb\r\nc\r\n"


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("a\nb\n", "a\nc\n", ["-b\n", "+c\n"]),
        ("a\r\nb\r\n", "a\r\nc\r\n", ["-b\r\n", "+c\r\n"]),
        ("b", "c", ["-b\n", "\\ No newline at end of file\n", "+c\n"]),
        ("b", "b", []),
    ],
)
def test_a_diff_is_what_patch_takes(before, after, lines):
    shown = diff("x.py", before, after).splitlines(keepends=True)
    assert set(lines) <= set(shown)
    assert bool(lines) is bool(shown)


def mend(traced, text, *, unsafe=False):
    runs = []

    result = traced(text)
    path = result.request.path

    def run(changed):
        runs.append(changed[path])
        return traced(changed[path])

    def choose(finding):
        return first_fix(finding, {path}, unsafe=unsafe)

    repaired = repair(result, {path: text}, choose, run)
    return repaired, runs


def test_a_safe_fix_is_made_and_proven(traced):
    repaired, runs = mend(traced, CAST)
    assert repaired.result.request.text == MENDED
    assert [f.code for f in repaired.mended] == ["inplace-cast"]
    assert repaired.result.findings == ()
    assert runs == [MENDED]


def test_a_comment_that_ignores_nothing_goes(traced):
    repaired, _ = mend(traced, "x = 1  # jit: ignore[first-nan]\n# jit: ignore-file\ny = 2\n")
    assert repaired.result.request.text == "x = 1\n\ny = 2\n"
    assert repaired.result.findings == ()


def test_what_is_found_behind_an_error_is_mended_too(traced):
    repaired, _ = mend(traced, CAST + "u = np.arange(3)\nu /= 2\nassert u.sum() == 1.5\n")
    assert "u = u / 2" in repaired.result.request.text
    assert len(repaired.mended) == 2
    assert repaired.result.findings == ()


def test_a_fix_that_does_no_good_is_left_out(traced):
    told = CAST.replace("t *= 0.5", "t *= 0.5\nassert t.dtype == int")
    repaired, _ = mend(traced, told)
    assert repaired.mended  # the cast is what the program failed at; what follows is its own
    again = "import numpy as np\nx = np.zeros(3)\nopen(__file__).read().index('T\\n')\ny = x.T\n"
    repaired, runs = mend(traced, again, unsafe=True)
    assert repaired.result.request.text == again
    assert (repaired.mended, repaired.refused) == ((), len(runs))


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfx = 'a'\r\n",
        "# coding: latin-1\nx = 'aé'\n".encode("latin-1"),
        "x = 'aé'\n".encode(),
    ],
)
def test_a_file_keeps_its_encoding_ends_and_mode(tmp_path, data):
    from jit_lsp.launch import text_of

    path, link = tmp_path / "x.py", tmp_path / "link.py"
    path.write_bytes(data)
    path.chmod(0o755)
    link.symlink_to(path)
    text = text_of(str(link))
    assert save(str(link), text, text.replace("'a", "'b")) == ""
    assert path.read_bytes() == data.replace(b"'a", b"'b")
    assert path.stat().st_mode & 0o777 == 0o755
    assert link.is_symlink()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link.py", "x.py"]


def test_what_is_in_doubt_is_not_written(tmp_path):
    path = tmp_path / "x.py"
    path.write_bytes(b"# coding: latin-1\nx = 1\n")
    text = path.read_text()
    assert "encoding" in save(str(path), text, text.replace("1\n", "'√'\n"))
    assert "changed" in save(str(path), text + "y", text + "z")
    assert path.read_text() == text
