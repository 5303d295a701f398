"""Programs with one mistake of each kind: the mistake is found, and without it nothing is.

``JIT_LSP_MUTANTS=40`` draws that many of each kind, and says how many were found.
"""

import os
from collections import Counter
from pathlib import Path

from case_runs import Runs
from hypothesis import Phase, given, settings
from mutants import KINDS, Mutant, mutants

from jit_lsp.diagnostics.report import MOST_LINES, WIDTH, document
from jit_lsp.doc import render_plain

CHOSEN = os.environ.get("JIT_LSP_MUTANTS")
EACH = int(CHOSEN or 2)
LEAST = 0.95


def test_mistakes_are_found(runs: Runs) -> None:
    programs = [mutant for kind in KINDS for mutant in drawn(kind)]
    texts = {Path(f"/right/{i}.py"): one.right for i, one in enumerate(programs)}
    texts |= {Path(f"/wrong/{i}.py"): one.wrong for i, one in enumerate(programs)}
    results = runs.run_all(texts)
    found: Counter[str] = Counter()
    missed, alarms = [], []
    for i, one in enumerate(programs):
        wrong = {f.code for f in results[Path(f"/wrong/{i}.py")].findings}
        right = [f.code for f in results[Path(f"/right/{i}.py")].findings if f.severity.loud]
        found[one.kind] += bool(wrong & one.codes)
        missed += [f"{one.kind}: {sorted(wrong)}\n{one.wrong}"] * (not wrong & one.codes)
        alarms += [f"{one.kind}: {right}\n{one.right}"] * bool(right)
    for result in results.values():
        for finding in result.findings:
            message = render_plain(document(finding, result.sources), WIDTH)
            assert len(message.split("\n")) <= MOST_LINES, message
    for kind in KINDS:
        print(f"{found[kind]:3} of {EACH}  {kind}")
    print("\n".join(missed))
    assert alarms == []
    assert [kind for kind in KINDS if found[kind] < LEAST * EACH] == []


def drawn(kind: str) -> list[Mutant]:
    programs: list[Mutant] = []

    @settings(max_examples=EACH, phases=[Phase.generate], derandomize=not CHOSEN, database=None)
    @given(mutants(kind))
    def draw(mutant: Mutant) -> None:
        programs.append(mutant)

    draw()
    return programs[:EACH]
