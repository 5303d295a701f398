"""Runs at a save: from processes that have done before what the program does first.

Each program has a pod. Its zygote has imported what the program imports; what is parked there has
run the beginning of the program. A save goes on from where a run was left that had begun as the new
text does. Where that can't be, a run is what it is on the command line, with the same result.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from .inputs import Inputs, Stamp, seen
from .launch import Request
from .plan import Outline, Place, Plan, Unreadable, edited, plan
from .pods import Pod, PodGone, can_run, parking, surroundings
from .project import Project, ProjectError, project_of
from .session import Cancel, Cancelled, Progress, Result, result_of, trace
from .spares import Spares
from .supervisor import replayed
from .tape import Mark, Tape

MOST_PODS = 4
MOST_PARKED = 8
"""Processes that are parked in one pod; those of a new run find room for a half of them."""
MOST_PAUSE = 600.0
"""Seconds without a pod, after it gave no answer several times in a row."""
MOST_PASTS = 4
"""Texts whose runs are remembered."""


@dataclass(frozen=True, slots=True)
class Policy:
    """When a run is left parked."""

    interval: float = 0.1
    """Seconds of the program's time at least between two parked processes that nobody asked for."""
    not_worth: float = 0.003
    """Seconds of a program that are sooner run again than gone on from."""
    pods: bool = sys.platform == "linux"
    """Whether there can be pods; else an interpreter that is up waits for each run."""


_log = logging.getLogger(__name__)


class Warm:
    """The pods of a server. May be used from several threads."""

    def __init__(self, policy: Policy | None = None) -> None:
        self._policy = policy or Policy()
        self._programs: OrderedDict[str, _Program] = OrderedDict()
        self._spares = Spares()
        self._lock = threading.Lock()

    def trace(self, request: Request, cancel: Cancel, progress: Progress | None = None) -> Result:
        """As ``session.trace``, with the same result, sooner.

        Raises:
            Cancelled: when ``cancel`` says so.
        """
        possible = self._policy.pods and can_run(request)
        program = self._program(request) if possible else None
        result = program.trace(request, cancel, progress) if program is not None else None
        return result or self._spares.trace(request, cancel, progress)

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            programs, self._programs = self._programs, OrderedDict()
        for program in programs.values():
            program.close()
        self._spares.close()

    def _program(self, request: Request) -> _Program | None:
        """The program; None where it runs already, such as for another file."""
        with self._lock:
            program = self._programs.setdefault(request.path, _Program(self._policy))
            if program.busy:
                return None
            self._programs.move_to_end(request.path)
            for path in list(self._programs)[:-MOST_PODS]:
                if not self._programs[path].busy:
                    self._programs.pop(path).close()
            program.busy = True
            return program


@dataclass(frozen=True, slots=True)
class _Left:
    """A run that was left before a step: what goes on from there needs."""

    outline: Outline
    tape: Tape
    mark: Mark
    inputs: Inputs


@dataclass(frozen=True, slots=True)
class _Past:
    """A run that came to its end."""

    outline: Outline
    tape: Tape
    inputs: Inputs


@dataclass(frozen=True, slots=True)
class _Last:
    """The last result, and what it was made of. No project: its configuration can't be read."""

    tape: Tape
    project: Project | None
    result: Result


@dataclass(frozen=True, slots=True)
class _Start:
    """Where a run begins: 0 is the beginning."""

    number: int = 0
    left: _Left | None = None
    plan: Plan | None = None


class _Program:
    """One program, and the pod that runs it."""

    def __init__(self, policy: Policy) -> None:
        self.busy = False
        self._policy = policy
        self._pod: Pod | None = None
        self._key: object = None
        self._outline: Outline | None = None
        self._left: dict[int, _Left] = {}
        self._pasts: OrderedDict[str, _Past] = OrderedDict()
        self._last: _Last | None = None
        self._numbers = 0
        self._failures = 0
        self._again_at = 0.0
        """When a pod may be tried again, after it gave no answer."""
        self._mover = ""
        """A statement that moves a folder, which fails where the folder was made before a fork."""

    def trace(self, request: Request, cancel: Cancel, progress: Progress | None) -> Result | None:
        """The result; None where it has to be had in another way."""
        try:
            if time.monotonic() < self._again_at:
                return None
            result = self._trace(request, cancel, progress)
            if result is not None:
                self._failures = 0
            return result
        finally:
            self.busy = False

    def close(self) -> None:
        pod, self._pod = self._pod, None
        self._left.clear()
        self._pasts.clear()
        self._last = None
        if pod is not None:
            pod.close()

    def _trace(self, request: Request, cancel: Cancel, progress: Progress | None) -> Result | None:
        try:
            outline = Outline(request.text, self._outline)
            pod = self._fitting(request, outline)
        except (Unreadable, OSError):
            return None
        past = self._pasts.get(request.text)
        if past is not None and past.inputs.hold({}):
            return self._again(request, past, cancel)
        before = edited(self._outline, outline) if self._outline else None
        if self._mover not in (statement.text for statement in outline.statements):
            self._mover = ""
        best = _Start() if self._mover else self._best(request, outline)
        for chosen in (best, _Start()) if best.left else (best,):
            result = self._run(request, cancel, progress, outline, pod, chosen, before)
            if result is not None and not self._mover:
                self._mover = _mover(result, outline)
                if self._mover:
                    result = self._run(request, cancel, progress, outline, pod, _Start(), before)
            if result is not None:
                return result
        self.close()
        self._failures += 1
        self._again_at = time.monotonic() + min(2.0**self._failures, MOST_PAUSE)
        _log.warning("%s: there is no pod for a while", request.path)
        return None

    # ------------------------------------------------------------------ without running

    def _again(self, request: Request, past: _Past, cancel: Cancel) -> Result:
        began = time.monotonic()
        self._outline = past.outline
        self._pasts.move_to_end(request.text)
        last, project = self._last, _project(request)
        if last is not None and (last.tape, last.project) == (past.tape, project):
            recorded = last.result.trace
        else:
            recorded, last = replayed(request, past.tape), None
            recorded.printed = _printed(past.outline, past.tape)
        recorded.began = ("the text has run before: nothing had to be run again",)
        if cancel.requested:
            raise Cancelled
        took = time.monotonic() - began
        if last is not None and project is not None:
            return replace(last.result, request=request, seconds=took)
        result = result_of(request, recorded, took)
        self._last = _Last(past.tape, project, result)
        return result

    # ------------------------------------------------------------------ running

    def _run(
        self,
        request: Request,
        cancel: Cancel,
        progress: Progress | None,
        outline: Outline,
        pod: Pod,
        chosen: _Start,
        before: Place | None,
    ) -> Result | None:
        """The result of a run; None where it couldn't begin there."""
        left = chosen.left
        tape = left.tape.until(chosen.number) if left else Tape(request.limits.output)
        keep = self._keep(outline, chosen, pod)
        room = 0 if self._mover else MOST_PARKED - len(keep)
        began, numbers = time.time(), self._new_numbers(room)
        policy = self._policy
        parked_before = [] if before is None else [before]
        park = parking(tape, numbers, parked_before, policy.interval, policy.not_worth)
        more: dict[str, object] = {"park": park}
        if chosen.plan is not None:
            known = chosen.plan
            more |= {"known": known.known, "new": known.new, "gone": known.gone}
            more["inside"] = {"whole": known.whole} if known.inside else None
        worker = pod.start(request, chosen.number, keep, more)
        if worker is None:
            return None
        result = trace(request, cancel, progress, worker, tape)
        if tape.refused or not result.trace.python:
            _log.info("%s: %s", request.path, tape.refused or "the pod gave no answer")
            return None
        self._note(request, outline, tape, numbers, began, left.inputs if left else None)
        self._outline = outline
        self._last = _Last(tape, _project(request), result)
        result.trace.began = tuple(_told(chosen, outline, tape))
        if self._mover:
            result.trace.began += ("it was not left anywhere: it moves a folder",)
        result.trace.printed = _printed(outline, tape)
        _log.info("%s: %s", request.path, "; ".join(result.trace.began))
        return result

    def _note(
        self, request: Request, outline: Outline, tape: Tape, numbers: list[int], began: float,
        before: Inputs | None,
    ) -> None:  # fmt: skip
        """Remember where the run was left, and what it depended on."""
        directory = request.directory or str(Path.cwd())
        paths = list(tape.read)
        for number in numbers:
            mark = tape.marks.get(number)
            if mark is not None:
                texts = _texts(outline, mark.place[0])
                inputs = seen(paths[: mark.read], texts, directory, began, before)
                self._left[number] = _Left(outline, tape, mark, inputs)
        ending = tape.ending
        if tape.is_whole and ending and not (ending.broken or ending.timed_out or ending.status):
            inputs = seen(paths, _texts(outline, None), directory, began, before)
            self._pasts[request.text] = _Past(outline, tape, inputs)
            while len(self._pasts) > MOST_PASTS:
                self._pasts.popitem(last=False)

    def _new_numbers(self, count: int) -> list[int]:
        self._numbers += count
        return list(range(self._numbers - count + 1, self._numbers + 1))

    # ------------------------------------------------------------------ where to begin

    def _best(self, request: Request, outline: Outline) -> _Start:
        """Where most of the time is saved."""
        best, now = _Start(), dict[str, Stamp]()
        name = Path(request.path).name.encode()
        for number, left in self._left.items():
            seconds = left.mark.seconds
            if seconds < max(self._policy.not_worth, best.left.mark.seconds if best.left else 0):
                continue
            found = plan(left.outline, left.mark.place, outline)
            if found is None or (found.moved and name in left.mark.printed.kept):
                continue  # what it printed may tell of places that are others now
            if left.inputs.hold(now):
                best = _Start(number, left, found)
        return best

    def _keep(self, outline: Outline, chosen: _Start, pod: Pod) -> set[int]:
        """What stays parked: of use for the present text, the latest first; then the newest."""
        useful = [
            number
            for number, left in self._left.items()
            if left.outline is outline or plan(left.outline, left.mark.place, outline) is not None
        ]
        useful.sort(key=lambda number: -self._left[number].mark.seconds)
        others = [number for number in reversed(self._left) if number not in useful]
        wanted = dict.fromkeys([*([chosen.number] if chosen.left else []), *useful, *others])
        keep, owned, most = set[int](), 0, _memory() // 4 // MOST_PODS
        for number in wanted:
            owned += 1024 * pod.parked.get(number, 0)
            if len(keep) < MOST_PARKED // 2 and (owned <= most or number == chosen.number):
                keep.add(number)
        self._left = {number: left for number, left in self._left.items() if number in keep}
        return keep

    def _fitting(self, request: Request, outline: Outline) -> Pod:
        """The pod, or a new one, if what it was made for is no longer so."""
        constant = replace(request, text="", limits=replace(request.limits, wall=0.0))
        key = constant, surroundings(request.interpreter, outline.imports)
        if self._pod is not None and key == self._key:
            try:
                self._pod.hear()
            except PodGone:
                self.close()
            else:
                there = self._pod.parked
                self._left = {n: left for n, left in self._left.items() if n in there}
                return self._pod
        self.close()
        self._pod = Pod(request, outline.imports)
        self._key = key
        return self._pod


def _mover(result: Result, outline: Outline) -> str:
    """The statement at which a run ended because the view can't move a folder."""
    failure = result.trace.failure
    if failure is None or not failure.calls or (failure.blocked or ("",))[0] != "move":
        return ""
    line = failure.calls[0].span.line
    before = ((s.line, s.text) for s in outline.statements if s.line <= line)
    return max(before, default=(0, ""))[1]


def _project(request: Request) -> Project | None:
    try:
        return project_of(request.path)
    except ProjectError:
        return None


def _told(chosen: _Start, outline: Outline, tape: Tape) -> Iterator[str]:
    if chosen.left is not None and chosen.plan is not None:
        inside, seconds = chosen.plan.inside, chosen.left.mark.seconds
        place = len(chosen.plan.known) - inside, inside and chosen.left.mark.place[1]
        yield f"it went on {_before(outline, place)}: {seconds:.2f} s were not run again"
    else:
        yield "it ran from its beginning"
    for place, reasons in tape.unparked:
        yield f"it could not be left {_before(outline, place)}: {', '.join(reasons)}"


def _before(outline: Outline, place: Place) -> str:
    line = _line(outline, place)
    return f"before line {line}" if line else "at the end"


def _printed(outline: Outline, tape: Tape) -> tuple[tuple[int, str], ...]:
    """What the tape's run printed, by lines of the text."""
    return tuple(
        (_line(outline, place) if place else 0, piece.decode(errors="replace"))
        for place, piece in tape.pieces
    )


def _line(outline: Outline, place: Place) -> int:
    """Where the statement at a place stands; 0 at the end."""
    step, inner = place
    if inner and outline.main is not None and inner < len(outline.main.body):
        return outline.main.body[inner].line
    return outline.statements[step].line if step < len(outline.statements) else 0


def _texts(outline: Outline, step: int | None) -> set[str]:
    return {text for statement in outline.statements[:step] for text in statement.texts}


def _memory() -> int:
    """Of the machine, in bytes."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
