"""Runs at a save begin where an earlier one was left, and come to the same as from scratch."""

import random
import sys

import pytest
from random_programs import edits

from jit_lsp.ir import print_module
from jit_lsp.session import Cancel, Limits, Request, trace
from jit_lsp.tracer.lift import lift
from jit_lsp.warm import Policy, Warm

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="pods are for Linux")
EVERYWHERE = Policy(interval=0.0, not_worth=0.0)


class Editor:
    """Saves texts of one file."""

    def __init__(self, folder, **policy):
        self.path = folder / "program.py"
        self.warm = Warm(Policy(**policy) if policy else EVERYWHERE)

    def request(self, text):
        self.path.write_text(text)
        return Request(
            str(self.path), text, sys.executable, limits=Limits(wall=20.0),
            directory=str(self.path.parent), shown=self.path.name,
        )  # fmt: skip

    def save(self, text):
        return self.warm.trace(self.request(text), Cancel())

    @property
    def status(self):
        return self.warm.status(str(self.path))

    def same_as_from_scratch(self, text):
        request = self.request(text)
        warm, cold = shown(self.warm.trace(request, Cancel())), shown(trace(request, Cancel()))
        if warm["outcome"].status == "raised":  # the traceback is not waited for from scratch
            warm["output"] = warm["output"][: len(cold["output"])]
        assert warm == cold


@pytest.fixture
def editor(tmp_path):
    made = Editor(tmp_path)
    yield made
    made.warm.close()


def shown(result):
    """All that a user sees of a run."""
    recorded = result.trace
    return {
        "output": recorded.output,
        "outcome": recorded.outcome,
        "findings": result.findings,
        "graph": print_module(lift(recorded).module),
        "sources": {path: source.text for path, source in recorded.sources.items()},
    }


@pytest.mark.parametrize("main", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_any_edit_comes_to_the_same_as_a_run_from_scratch(editor, seed, main):
    for text in edits(random.Random(seed), 4, main):
        editor.same_as_from_scratch(text)
