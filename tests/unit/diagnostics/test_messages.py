"""All messages in one golden file, to be read in one sitting: ``messages.txt`` beside this test.

``JIT_LSP_REWRITE=1 ./dev test tests/unit/diagnostics/test_messages.py`` writes it anew.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from case_runs import apart

from jit_lsp.diagnostics.model import Finding
from jit_lsp.diagnostics.report import document
from jit_lsp.doc import render_plain
from jit_lsp.doc.source import Source
from jit_lsp.session import Result

GOLDEN = Path(__file__).with_name("messages.txt")
GOLDEN_OF_TORCH = GOLDEN.with_name("messages_torch.txt")
WIDTH, MOST_LINES = 80, 12


def test_messages_read_as_they_did(case_runs: Mapping[Path, Result]) -> None:
    of_torch = {path: r for path, r in case_runs.items() if "import torch" in path.read_text()}
    others = {path: r for path, r in case_runs.items() if path not in of_torch}
    for runs, golden in ((others, GOLDEN), (of_torch, GOLDEN_OF_TORCH)):
        now = "\n\n".join(messages(runs)) + "\n"
        if os.environ.get("JIT_LSP_REWRITE") and runs:
            golden.write_text(now)
        assert not runs or now == golden.read_text()


def test_messages_are_short(case_runs: Mapping[Path, Result]) -> None:
    for message in messages(case_runs):
        lines = message.split("\n")
        assert len(lines) <= MOST_LINES, message
        assert all(len(line) <= WIDTH for line in lines), message


def test_headlines_are_one_line(case_runs: Mapping[Path, Result]) -> None:
    for result in case_runs.values():
        for finding in result.findings:
            assert isinstance(finding.headline, str)
            assert "\n" not in finding.headline


def messages(runs: Mapping[Path, Result]) -> list[str]:
    """The text of every finding, with files called by their folder and name."""
    return [
        shown(result, finding)
        for path, result in runs.items()
        for finding in result.findings
        if not path.stem.startswith("ok_")
    ]


def shown(result: Result, finding: Finding) -> str:
    sources = {apart(p): Source(apart(p), s.text) for p, s in result.sources.items()}
    text = render_plain(document(finding.moved(apart), sources), WIDTH)
    text = re.sub(r"(the interpreter was ).*", r"\1python", text)
    return re.sub(r"at least [\d,]+ iterations", "at least 12,345 iterations", text)
