"""``jit-lsp check``: programs are run, what is found is written, and mended where that is asked.

One file is the quick way, on which nothing is loaded that it doesn't need.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from .asked import as_given, selection, traced
from .diagnostics.model import Finding, Fix
from .diagnostics.suppress import UNUSED
from .doc.source import Source
from .formats import as_json, counts, summary, write, write_text
from .launch import NOTEBOOK, NotText, Request, Unusable, Worker, text_of
from .session import Cancel, Result, trace

Run = Callable[[Request, Cancel], Result]


@dataclass(frozen=True, slots=True)
class Checked:
    """What the check of one file came to. Paths are as the user would write them."""

    file: str
    findings: tuple[Finding, ...]
    sources: Mapping[str, Source]
    mended: tuple[Finding, ...] = ()
    changes: Mapping[str, str] = field(default_factory=dict)
    """By file, as a diff, where they are shown and not made."""
    problem: str = ""
    """Why fixes were not made."""


def check(options: argparse.Namespace, started: Worker | None) -> int:
    """Run the files and write the findings; gives the exit status."""
    began = started.ends.started if started is not None else time.monotonic()
    selected = selection(options.select, options.ignore)
    _refuse_contradictions(options)

    def check_one(file: str, cancel: Cancel, run: Run = trace) -> Checked:
        worker = started if file == options.files[0] else None
        result = traced(file, options, worker, cancel, run)
        if file.endswith(NOTEBOOK) and (options.fix or options.diff):
            problem = "fixes are made in scripts, not in notebooks"
            return replace(_checked(file, result, selected), problem=problem)
        if options.fix or options.diff:
            return _mended(file, result, options, selected, lambda asked: run(asked, cancel))
        return _checked(file, result, selected)

    if started is not None and len(options.files) == 1 and not options.force_exclude:
        checked = [check_one(options.files[0], Cancel())]
    else:
        from .batch import side_by_side
        from .discover import programs
        from .shared import Shared

        files = programs(options.files, force_exclude=options.force_exclude)
        jobs = 1 if options.fix else options.jobs  # programs may share the modules that are mended
        with closing(Shared()) as shared:

            def check_shared(file: str, cancel: Cancel) -> Checked:
                return check_one(file, cancel, shared.trace)

            checked = side_by_side(files, check_shared, jobs)
    return _write(options, checked, time.monotonic() - began)


def _checked(file: str, result: Result, selected: Callable[[str], bool]) -> Checked:
    shown = as_given(result.request.file, file)
    findings = tuple(f.moved(shown) for f in result.findings if selected(f.code))
    sources = {shown(p): Source(shown(p), s.text) for p, s in result.sources.items()}
    if file.endswith(NOTEBOOK):
        findings, sources = _in_cells(file, findings, sources)
    return Checked(file, findings, sources)


def _in_cells(
    file: str, findings: tuple[Finding, ...], sources: dict[str, Source]
) -> tuple[tuple[Finding, ...], dict[str, Source]]:
    """The same by the cells of a notebook, if it still is what was run. Nothing is mended there."""
    from .notebooks import NotANotebook, notebook

    try:
        read = notebook(Path(file).read_bytes())
    except (OSError, NotANotebook):
        return findings, sources
    if file not in sources or read.text != sources[file].text:
        return findings, sources
    placed = (f.placed(lambda s: read.place(s) if s.path == file else s) for f in findings)
    return tuple(replace(f, fixes=()) for f in placed), sources | read.sources(file)


def _mended(
    file: str, result: Result, options: argparse.Namespace, selected: Callable[[str], bool],
    run_again: Callable[[Request], Result],
) -> Checked:  # fmt: skip
    from . import repair

    request, texts = result.request, _own_texts(result)

    def fix_of(finding: Finding) -> Fix | None:
        elsewhere = finding.span.path not in (request.path, request.file)
        if not selected(finding.code) or (finding.code == UNUSED and elsewhere):
            return None  # another program may need what is unused in this one
        return repair.first_fix(finding, texts, unsafe=options.unsafe_fixes)

    def run(changed: Mapping[str, str]) -> Result:
        text = changed.get(request.path, request.text)
        modules = tuple((p, t) for p, t in changed.items() if p != request.path and t != texts[p])
        return run_again(replace(request, text=text, texts=modules))

    repaired = repair.repair(result, texts, fix_of, run)
    shown = as_given(request.file, file)
    changed = {p: text for p, text in repaired.texts.items() if text != texts[p]}
    problem = "a fix is left out: the run is no better with it" if repaired.refused else ""
    if options.diff:
        changes = {shown(p): repair.diff(shown(p), texts[p], t) for p, t in changed.items()}
        return replace(_checked(file, result, selected), changes=changes, problem=problem)
    unsaved = [f"{shown(p)}: {why}" for p, t in changed.items()
               if (why := repair.save(p, texts[p], t))]  # fmt: skip
    if unsaved:
        return replace(_checked(file, result, selected), problem="; ".join(unsaved))
    mended = tuple(finding.moved(shown) for finding in repaired.mended)
    return replace(_checked(file, repaired.result, selected), mended=mended, problem=problem)


def _own_texts(result: Result) -> dict[str, str]:
    """The texts of the project's that ran, by path, as they are in their files. One that is another
    by now is left out, as is what stands in for a program."""
    request = result.request
    stands_in = request.entry is not None and request.entry.kind != "script"
    texts = {} if stands_in else {request.path: request.text}
    for path, source in result.sources.items():
        with suppress(OSError, NotText):
            if path != request.path and Source(path, text_of(path)).lines == source.lines:
                texts[path] = text_of(path)
    return texts


def _write(options: argparse.Namespace, checked: list[Checked], seconds: float) -> int:
    """Write all that was found: each finding once, however many programs ran into it."""
    mended = {(f.code, f.span) for one in checked for f in one.mended}
    known = {(f.code, f.span): f for one in reversed(checked) for f in reversed(one.findings)}
    findings = list(reversed(known.values()))
    sources = {path: source for one in checked for path, source in one.sources.items()}
    for one in checked:
        if one.problem:
            print(f"jit-lsp: {one.file}: {one.problem}", file=sys.stderr)
    if options.format == "text":
        said = summary(findings, len(checked), seconds, len(mended))
        _write_text(options, checked, findings, sources)
        print(said, file=sys.stderr if options.diff else sys.stdout)
    elif options.format == "github":
        from .github import workflow_commands

        sys.stdout.write(workflow_commands(_in_files(findings)))
    else:
        if options.format == "json":
            answer = as_json(findings, sources)
        else:
            from .sarif import sarif_log

            answer = sarif_log(_in_files(findings))
        json.dump(answer, sys.stdout)
        print()
    changed = any(one.changes for one in checked)
    return int(changed or any(f.severity.loud for f in findings))


def _in_files(findings: list[Finding]) -> list[Finding]:
    """Without the cells of notebooks, which these formats don't know."""
    if not any(NOTEBOOK in finding.span.path for finding in findings):
        return findings
    from .notebooks import in_file

    return [in_file(finding) for finding in findings]


def _write_text(
    options: argparse.Namespace, checked: list[Checked], findings: list[Finding],
    sources: Mapping[str, Source],
) -> None:  # fmt: skip
    if options.diff:
        changes = {name: text for one in checked for name, text in one.changes.items()}
        sys.stdout.writelines(changes.values())
    elif options.statistics and findings:
        write(counts(findings), sys.stdout)
    elif not options.statistics:
        write_text(findings, sources, sys.stdout)


def _refuse_contradictions(options: argparse.Namespace) -> None:
    if options.format != "text" and (options.diff or options.statistics):
        raise Unusable("--diff and --statistics go with --format text")
    if options.unsafe_fixes and not (options.fix or options.diff):
        raise Unusable("--unsafe-fixes goes with --fix or --diff")
