"""Why a program ended with an exception: the operation that raised, its operands, and the calls
there.

Nothing was recorded for an operation that raised. The traceback says which instruction it was, the
instruction's positions say which site, and the operands are read from the frame: plain names from
its variables, inner operations from its record. In a plain twin nothing was recorded of those
either. They are sent with their own operands, in the order in which they ran, and the server works
out what they gave (``unrecorded``).
"""

from __future__ import annotations

import dis
import types
import weakref
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .publish import Places, Publisher
from .recorder import Cell, Recorder, Tokens
from .sites import Operand, Position, Program, Site

MAX_MESSAGE = 10_000
MAX_FRAMES = 50

# The kinds of sites that an instruction can belong to.
_KINDS = {
    "BINARY_OP": ("binary:", "inplace:", "getitem"),
    "BINARY_SUBSCR": ("getitem", "inplace:"),
    "BINARY_SLICE": ("getitem", "inplace:"),
    "STORE_SUBSCR": ("setitem", "inplace:"),
    "STORE_SLICE": ("setitem", "inplace:"),
    "COMPARE_OP": ("compare:",),
    "UNARY_NEGATIVE": ("unary:",),
    "UNARY_INVERT": ("unary:",),
    "CALL": ("call",),
    "CALL_KW": ("call",),
    "PRECALL": ("call",),
    "CALL_FUNCTION_EX": ("call",),
    "LOAD_ATTR": ("attribute:",),
}
_TRUTH = ("POP_JUMP", "UNARY_NOT", "TO_BOOL", "JUMP_IF")


def report(error: BaseException, programs: Mapping[str, Program], recorder: Recorder,
           publisher: Publisher, blocked: tuple[str, str] | None) -> None:  # fmt: skip
    """Send what is known of ``error``, which ended the program; ``blocked`` is what the sandbox had
    to do with it."""
    recorder.flush()
    frames = list(_frames(error.__traceback__, programs))
    places = {path: Places(program.source) for path, program in programs.items()}
    fields: dict[str, Any] = {"operands": [], "site": None, "truth": False, "before": []}
    inner = next((f for f in reversed(frames) if f["known"]), None)
    if inner is not None:
        fields.update(_operation(inner, programs[inner["path"]], recorder, publisher))
        convert = places[inner["path"]]
        fields["operands"] = [[r, convert(place), value] for r, place, value in fields["operands"]]
    for frame in frames:
        if frame["known"]:
            frame["place"] = places[frame["path"]](frame["place"])
    fields.update(_of_library(recorder.explain(error), publisher))
    publisher.frame(
        "failure",
        type=type(error).__qualname__,
        module=type(error).__module__,
        message=_message(error),
        notes=[str(n)[:MAX_MESSAGE] for n in getattr(error, "__notes__", [])[:10]],
        frames=[[f["path"], f["place"], f["function"], f["known"]] for f in frames],
        blocked=blocked,
        types=publisher.take_types(),
        **fields,
    )


def _of_library(known: dict[str, Any], publisher: Publisher) -> dict[str, object]:
    """What a library knows of the failure, as the wire has it."""
    operand = publisher.operand
    return {
        "layers": [
            [operand(x), [operand(g) for g in given]] for x, given in known.get("layers", ())
        ],
        "stale": known.get("stale", []),
        "roots": [operand(root) for root in known.get("roots", ())],
        "graph": publisher.nodes(known.get("graph", ())),
    }


def report_syntax(error: SyntaxError | ValueError, publisher: Publisher) -> None:
    """Send why the program can't be compiled."""
    line, column = getattr(error, "lineno", None) or 1, getattr(error, "offset", None) or 1
    end_line = getattr(error, "end_lineno", None) or line
    end_column = getattr(error, "end_offset", None) or column
    if (end_line, end_column) <= (line, column):
        end_line, end_column = line, column + 1
    publisher.frame(
        "syntax",
        type=type(error).__name__,
        message=str(getattr(error, "msg", None) or error),
        place=[line, max(column - 1, 0), end_line, max(end_column - 1, 0)],
    )


def _message(error: BaseException) -> str:
    try:
        return str(error)[:MAX_MESSAGE]
    except Exception:
        return f"<{type(error).__name__} whose text can't be had>"


def _frames(tb: types.TracebackType | None, programs: Mapping[str, Program]) -> Iterator[Any]:
    """The frames of a traceback from the program's first on, outermost first; the middle is cut."""
    entries: list[tuple[types.TracebackType, bool]] = []
    while tb is not None:
        known = tb.tb_frame.f_code.co_filename in programs
        if known or entries:
            entries.append((tb, known))
        tb = tb.tb_next
    if len(entries) > MAX_FRAMES:
        entries = entries[: MAX_FRAMES // 2] + entries[-MAX_FRAMES // 2 :]
    for entry, known in entries:
        code = entry.tb_frame.f_code
        places = list(code.co_positions())
        line, end_line, column, end_column = places[entry.tb_lasti // 2]
        line = line or entry.tb_lineno or 1
        place = (line, column or 0, end_line or line, end_column or 0)
        yield {
            "path": code.co_filename,
            "place": place,
            "function": code.co_qualname,
            "known": known,
            "entry": entry,
        }


def _operation(inner: Any, program: Program, recorder: Recorder,
               publisher: Publisher) -> dict[str, object]:  # fmt: skip
    entry, place = inner["entry"], inner["place"]
    frame, code = entry.tb_frame, entry.tb_frame.f_code
    name = _instruction(code, entry.tb_lasti)
    truth = any(part in name for part in _TRUTH)
    record = recorder.record_of(frame)
    stale = record is None or _in_plain_twin(code, entry.tb_lasti)
    held = {} if record is None or stale else recorder.tokens[id(record)]
    values = _Values(frame.f_locals, frame.f_globals, held, recorder, publisher)
    site = _site(program, place, "" if truth else name)
    found: dict[str, object] = {"site": site, "truth": truth, "instruction": name}
    sites = program.tables.sites
    if truth:
        found["operands"] = [["0", place, values.tested(program, site, place)]]
    elif site is not None:
        found["operands"] = [[o.role, o.place, values.operand(o)] for o in sites[site].operands]
    if stale and site is not None:
        number = recorder.number_of(record)
        found["before"] = [
            [n, number, [values.operand(o) for o in sites[n].operands if o.recorded]]
            for n in _inner(sites, site, itself=truth)
        ]
    return found


def _inner(sites: Sequence[Site], site: int, *, itself: bool) -> list[int]:
    """The operations that gave the operands of a site, inner ones first."""
    found, todo = [], [site]
    while todo:
        found.append(todo.pop())
        todo += [o.site for o in sites[found[-1]].operands if o.site is not None]
    return [n for n in reversed(found) if sites[n].kind != "leaf" and (itself or n != site)]


def _instruction(code: types.CodeType, offset: int) -> str:
    raw = code.co_code
    while dis.opname[raw[offset]] == "CACHE":
        offset -= 2
    return dis.opname[raw[offset]]


def _site(program: Program, place: Position, instruction: str) -> int | None:
    kinds = _KINDS.get(instruction)
    for number in program.sites:
        site = program.tables.sites[number]
        if site.place != place or site.kind == "leaf":
            continue
        if kinds is None or site.kind.startswith(kinds):
            return number
    return None


def _in_plain_twin(code: types.CodeType, offset: int) -> bool:
    """Whether an instruction stands in a plain twin, where the frame's record is stale."""
    instructions = list(dis.get_instructions(code))
    for i, instruction in enumerate(instructions):
        if instruction.opname != "LOAD_CONST" or type(instruction.argval) is not Cell:
            continue
        for jump in instructions[i + 1 : i + 5]:
            if "JUMP" in jump.opname and "IF_FALSE" in jump.opname:
                if jump.offset < offset < jump.argval:
                    return True
                break
    return False


class _Values:
    """Reads operands from a frame that ended."""

    def __init__(self, variables: Mapping[str, Any], globals_: Mapping[str, Any], held: Tokens,
                 recorder: Recorder, publisher: Publisher) -> None:  # fmt: skip
        self.variables, self.globals, self.held = variables, globals_, held
        self.recorder, self.publisher = recorder, publisher

    def operand(self, operand: Operand) -> Any:
        if operand.form == "site":
            token = self.held.get(operand.site)
            return ["site", operand.site] if token is None else self.token(token)
        if operand.form in ("name", "attribute"):
            value = self.variables.get(operand.text, self.globals.get(operand.text))
            return self.token(self.recorder.passive(value, operand.path), value, operand.path)
        return None

    def token(self, token: Any, value: Any = None, path: tuple[str, ...] = ()) -> Any:
        """A token as a value with its type: the array may be gone, its type is on the wire
        already."""
        if isinstance(token, weakref.ref):
            array = token()
            if array is not None:
                return self.publisher.describe(array)
        if isinstance(token, tuple):
            return ["p", [self.token(t) for t in token]]
        if token is None and value is not None and not path:
            return ["o", type(value).__name__]
        return self.publisher.operand(token)

    def tested(self, program: Program, site: int | None, place: Position) -> Any:
        """The value whose truth was asked for: that of a site just recorded, or of a plain name."""
        if site is not None:
            kept = self.held.get(site)
            return ["site", site] if kept is None else self.token(kept)
        name = _name_at(program, place)
        value = self.variables.get(name, self.globals.get(name))
        return self.token(self.recorder.token(value), value)


def _name_at(program: Program, place: Position) -> str:
    """The text at ``place``, where it is a single line; a dotted name has no variable and gives
    none."""
    line, column, end_line, end_column = place
    lines = program.source.splitlines()
    if line != end_line or line > len(lines):
        return ""
    return lines[line - 1].encode()[column:end_column].decode(errors="replace")
