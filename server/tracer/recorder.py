"""The recorders: what runs beside every recorded operation. The hottest code of the product.

Each recorder is generated for the number and form of its operands, so that it holds no loop and
makes no argument tuple; all of them share one namespace, which a frontend fills when its library
appears. They append to a log and do nothing else:

    (site, record, token, shape, dtype, strides, base, operands)   an array came out
    (site, record, Scalar, operands)                               an array scalar came out
    (site, record, (array, ..) or None, dead, operands)            several arrays did, or none
    (STORE, record, site, token, lost, operands)                   an item was written
    (UPDATE, the same)                                             and looked at for NaNs
    (RETURN, record, site)                                         a call ended, with events inside
    (ENTER, record, scope[, line, thread])         a function began; of another thread's, see `line`
    (ITERATE, record, loop, skipped)                               an iteration began
    (LEAVE, record, loop, skipped)                                 a loop ended
    (NOT_FINITE, record, site, token, count, index, values)        a NaN that no operand had;
                                                                   values None: one had it
    (LAYER, line, first, last, layer, operands, results, mode)     a layer of a network ran
    (HOOKED, line, record, first, last, when, layer, given, result)     a hook of a layer did, which
                                                   that frame had PyTorch call
    (BACKWARD, record, rows, passed, roots, blame, since, made, like)   gradients were computed
    (AGAIN, record, like)                                          and so again, as once before
    (STEP, record, updates)                                        an optimizer wrote parameters
    (REMARK, record, site, kind, details)                          see ``remarks``
    (UNDER, record, names)                         what the frame runs under from here on
    (REACHED, record, site, tokens)        a call wrote into arrays that what it was given holds
    (HELD, record, token, elements)                                see ``kept``
    (CALL, record, site, number, closed)           the call that ended can be asked for: ``calls``
    (HOOK, record, site, token, code)              a hook of this tensor or layer is registered; or,
                                                   without a token, where its code begins: a file, a
                                                   line and a name
    (FOUND, record, described)                     a tensor was met that no event had given
    (FORGET, None, token)                                          an array gave its tokens up

An array of another library than NumPy is logged as one, its element type being whatever the
frontend says, and what more it says of it (``Facts``) in place of its base.

A record is an empty cell, and stands for a frame; ``tokens`` has what is known of the frame by the
cell's ``id``: its number, and the tokens of its sites' latest results.

The token of an array is ``weakref.ref(array)``: without a callback CPython returns the same object
while it is held, so tokens compare by identity and keep nothing alive.
"""

from __future__ import annotations

import gc
import math
import sys
import types
import weakref
from _thread import _local, get_ident

# Pinned: a program may replace the real ones.
from builtins import (  # noqa: UP029
    all,
    any,
    bool,
    compile,
    dict,
    frozenset,
    getattr,
    hasattr,
    id,
    int,
    isinstance,
    iter,
    len,
    list,
    min,
    next,
    reversed,
    str,
    tuple,
    type,
    vars,
)
from collections.abc import Callable
from functools import partial
from itertools import count, repeat
from typing import Any

from . import native
from .calls import CALL as CALL
from .calls import Calls
from .generated import STORE as STORE
from .generated import UPDATE as UPDATE
from .generated import source
from .kept import HELD as HELD
from .kept import Kept
from .native import make_state
from .remarks import REACHED as REACHED
from .remarks import REMARK as REMARK
from .remarks import Described as Described
from .remarks import Remarks, Unset
from .sites import Program

Key = tuple[object, ...]
Entry = tuple[Any, ...]
Record = types.CellType
Break = tuple[str, tuple[int, int, int, int], str]
Tokens = dict[int | str | None, Any]

ENTER, ITERATE, NOT_FINITE, RETURN, FORGET, LEAVE = -1, -2, -4, -5, -6, -7
LAYER, BACKWARD, STEP, UNDER, AGAIN, FOUND, HOOK, HOOKED = -10, -11, -13, -14, -17, -18, -19, -20
SENT = -12

MAX_SAMPLE_INTERVAL = 1024
"""The most times in a row that a plain twin runs before its cell is sampled again."""
STABLE_SAMPLES = 2
"""Samples without anything new after which the plain twin may run."""
MAX_NOVEL_SAMPLES = 2000
"""A cell that keeps showing new signatures is treated as stable from then on."""
MAX_LOG = 50_000
"""Entries after which the log is handed over at the next loop iteration or function entry."""
MAX_CLEAN = 10_000
"""Arrays that are remembered as free of NaNs until those that are gone are looked for."""
MAX_FRAMES = 5_000
"""Frames that something is held of until those that ended are looked for."""
MAX_PACK = 64
"""Items of a tuple or list that are looked at."""

_PLAIN_ATTRIBUTES = frozenset({"shape", "size", "ndim"})
_NUMBERS = (int, float, complex, bool)
_CODE = types.CodeType
_member_descriptor = type(type("Slotted", (), {"__slots__": ("slot",)}).__dict__["slot"])
_missing = object()


class Scalar:
    """The token of an array scalar, which can't be referenced weakly: its value, and its type's
    name."""

    __slots__ = ("dtype", "value")

    def __init__(self, value: object, dtype: str | None) -> None:
        self.value = value
        self.dtype = dtype


SMALL = {n: Scalar(n, None) for n in range(-5, 257)} if sys.version_info < (3, 12) else {}
"""The tokens of those integers of which Python has one object, and counts how often it is held."""
NOTHING = Scalar(None, None)
"""The token of ``None``; where a token is None, the value isn't known."""


class Facts(tuple[object, ...]):
    """In place of an array's base, what else is known of it: (base, version, number of its node in
    the order of the gradient's graph or None, name of that node, requires a gradient, is a
    leaf)."""

    __slots__ = ()


class Thing:
    """The token of a layer or an optimizer: a weak reference to it, under an identity of ours."""

    __slots__ = ("held", "kind", "ref")

    def __init__(self, ref: weakref.ref[Any], kind: str) -> None:
        self.ref, self.kind = ref, kind
        self.held: dict[str, Any] | None = None
        """What it held when it first ran, in tokens: it may be gone when the log is sent."""


class Listed(tuple[object, ...]):
    """The tokens of a list's items; those of a tuple's are a tuple."""

    __slots__ = ()


class Cell:
    """The switch of one twin: how many more times the plain body runs, and what decides that."""

    __slots__ = ("first", "interval", "kind", "last", "novel", "number", "plain", "position",
                 "runs", "skipped", "stable")  # fmt: skip

    def __init__(self, kind: str, number: int, first: int, last: int) -> None:
        self.kind, self.number = kind, number
        self.first, self.last = first, last
        self.plain = 0
        self.skipped = 0
        self.interval = 1
        self.stable = 0
        self.novel = 0
        self.position = 0
        self.runs: Any = repeat(1, 0)
        """For expressions, which can't count ``plain`` down: one item for each time."""

    def rest(self, times: int) -> None:
        """Let the plain body run that often."""
        self.plain = self.skipped = times
        self.runs = repeat(1, times)

    def wake(self) -> None:
        """Let the recorded body run next."""
        if self.plain:
            self.plain = 0
            self.runs = repeat(1, 0)

    @property
    def left(self) -> int:
        """How often the plain body may still run."""
        return self.plain if self.kind in ("loop", "function") else self.runs.__length_hint__()


class Recorder:
    """The log of one run, and the recorders that append to it."""

    def __init__(self, hand_over: Callable[[list[Entry]], None]) -> None:
        self.log: list[Entry] = []
        self.hand_over = hand_over
        self.tokens: dict[int, Tokens] = {}
        self._records: dict[object, Record] = {}
        self._frames: dict[int, Record] = {}
        """The cells of the records, held so that no other can have the id of one."""
        self.clock = count(1)
        """Numbers frames as they begin, and the beginnings and ends of layers and hooks: what has a
        number between those of a layer ran inside."""
        self._main = get_ident()
        self._local = _local()
        """Of each other thread: its number, and the line that it is in; see ``line``."""
        self.threaded = False
        """Whether other threads ran functions of the program."""
        self._made: dict[Key, Callable[..., Any]] = {}
        self._in_python_made: dict[Key, types.FunctionType] = {}
        self._functions: list[Cell] = []
        self._loop: Cell | None = None
        self._seen: set[tuple[object, ...]] = set()
        self._new_sites: list[int] = []
        self._position = 0
        self._nan_tokens: dict[int, object] = {}
        self._clean: dict[int, Any] = {}
        self._carrying: set[int] = set()
        self.remarks = Remarks(self.log, self.tokens)
        # What generated code sees.
        self.space: dict[str, Any] = {
            "ARRAY": Unset,
            "TENSORS": frozenset(),
            "SCALARS": frozenset(),
            "PACKS": frozenset((tuple, list)),
            "LIBRARY": frozenset(),
            "INTERESTING": frozenset((weakref.ref, tuple, Listed, str, Described, Thing)),
            "LOG": self.log,
            "TOKENS": self.tokens,
            "NUMBERS": frozenset(_NUMBERS),
            "SMALL": SMALL,
            "ref": weakref.ref,
            "id": id,
            "type": type,
            "isfinite": math.isfinite,
            "vdot": None,
            "DTYPES": {},
            "dtype_name": None,
            "LARGE": sys.maxsize,
            "FE_INVALID": 1,
            "invalid": None,
            "foreign": self.foreign,
            "holds": self.holds,
            "log": self.log.append,
            "token": self.token,
            "passive": self.passive,
            "reach": self.reach,
            "NOTHING": NOTHING,
            "Described": Described,
            "described": self.described,
            "items": self.items,
            "scalar": self.scalar,
            "several": self.several,
            "finite": lambda array: True,
            "not_finite": self.not_finite,
            "returned": self.returned,
            **self.remarks.hooks(),
        }
        self.native = make_state and make_state(self.space, self.log, self.tokens)
        """What makes recorders in C; None where there are none."""
        self._enter: Callable[..., None] = self.enter
        if self.native is not None:
            self._enter = self.native.enter(self._frames, self.clock, self._sample, self.enter)
        self.library_types: dict[type, str] = {}
        self.programs: dict[str, Program] = {}
        """The files that are recorded, by path."""
        self.libraries: set[str] = set()
        """Packages whose objects are known by the names of their types."""
        self.workers = ""
        """How the names of types begin whose objects are given work, and answer None."""
        self.invalid_is_ignored: Callable[[], bool] = lambda: False
        self.nan_counts: dict[type, Callable[[Any], tuple[int, int]]] = {}
        """By type of array: how many elements are NaN, and the flat index of the first."""
        self.whole = False
        """Whether every call and iteration is recorded, and what arrays hold at the end is told."""
        self.statistics: dict[type, Callable[[Any], Any]] = {}
        """By type of array: what is told of its elements; see ``publish.Statistics``."""
        self.contents: dict[type, Callable[[Any], bytes | None]] = {}
        """By type of array: its elements in C order; None where they aren't numbers."""
        self.elements: dict[type, Callable[[Any, int, Any], object]] = {}
        """By type of array: the number that broadcasting sets against an element of a shape."""
        self.facts: dict[type, Callable[[Any], Entry]] = {}
        """By type of array: its token, shape, element type, strides, and base or facts."""
        self.tensor: Callable[[Record, int, Any, bool, Entry], None] = _ignore
        self.note: Callable[[Record], None] = _ignore
        """Logs what a frame runs under, where a library has such a thing."""
        self.thing: Callable[[Any], Thing | None] = lambda value: None
        self.parts: Callable[..., dict[str, Any]] = lambda thing: {}
        self.hidden: Callable[[Any, str], Any] = lambda value, attribute: _missing
        """The value of an attribute that a library keeps elsewhere than an object has its own."""
        self.before: dict[str, Callable[[int, Any], Callable[[Record | None], None] | None]] = {}
        """By the name of a call: what looks at its site and the value that it is made on, or of,
        right before it begins. It may give what is to be done when it has ended, which takes the
        record of the frame, or None where an exception left the call."""
        self.pending: list[tuple[int, int, Callable[[Record | None], None]]] = []
        """The threads and sites of calls that have begun so, and what is to be done after each."""
        self.explain: Callable[[BaseException], dict[str, Any]] = lambda error: {}
        """What a library knows of an exception that ended the program: ``layers``, ``stale``,
        ``roots`` and ``graph``, as ``trace.Failure`` has them, of tokens."""
        self.breaks: Callable[[BaseException | None], list[Break]] = lambda error: []
        """Where a compiler could not follow the program: file, place, and the compiler's words."""
        self.leaving: Callable[[int], None] = lambda line: None
        self.frontends: list[Callable[[Recorder], bool]] = []
        self.calls = Calls(self.space, lambda: self.log)
        """What can be done again, in a run of which that will be asked."""
        self.fake = False
        """Whether libraries that can are to give types and sizes alone, without computing."""

    # ------------------------------------------------------------------ constants of the program

    def resolve(self, key: Key, namespace: object) -> object:
        """The object that a marker of an instrumented program stands for."""
        match key:
            case ("record", number):
                return self._constant((namespace, number))
            case ("cell", str(kind), int(number), int(first), int(last)):
                cell = Cell(kind, number, first, last)
                if kind in ("function", "lambda"):
                    self._functions.append(cell)
                return cell
            case ("next",):
                return next
            case ("same",):
                return _SAME
            case ("enter",):
                return self._enter
            case ("iterate",):
                return self.iterate
            case ("leave",):
                return self.leave
            case ("around",):
                return self.around
            case ("forget",):
                return self.forget
            case ("flush",):
                return self.flush_and_return
            case ("imported",):
                return self.imported
            case ("begins", str(name)):
                return partial(self.begins, name)
            case ("calls", str(kind), *more):
                return self.calls.hook(kind, *more)
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = (
                self._in_python(key) if self.native is None
                else native.recorder(self.native, key, self._in_python)
            )  # fmt: skip
        return made

    def _in_python(self, key: Key) -> Callable[..., Any]:
        made = self._in_python_made.get(key)
        if made is None:
            made = self._in_python_made[key] = types.FunctionType(_unmade.__code__, self.space)
            text = source(key)  # here and now, while nobody has put other builtins in place
            made.__kwdefaults__ = {"make": lambda: _make(made, text)}
        return made

    # ------------------------------------------------------------------ frames and iterations

    def enter(self, cell: Cell, record: Record, _: object) -> None:
        """A recorded function body begins."""
        self._new_frame(record)
        where = () if get_ident() == self._main else self._elsewhere(sys._getframe(1))
        self.log.append((ENTER, record, cell.number, *where))
        self._sample(cell)

    def _elsewhere(self, frame: types.FrameType) -> tuple[int, int]:
        """The line and the number of another thread than the program's own, in which a function
        of the program begins. The outermost one begins a line."""
        own = vars(self._local)  # idents are given again
        outer = self._of_program(frame.f_back)
        if "thread" not in own:
            self.threaded = True
            own["thread"] = next(self.clock)
        if outer is None or "line" not in own:
            own["line"] = next(self.clock)
        return own["line"], own["thread"]

    def caller(self, frame: types.FrameType | None) -> Record | None:
        """The record of the program's innermost frame from one of a library's on."""
        own = self._of_program(frame)
        return None if own is None else self.record_of(own)

    def _of_program(self, frame: types.FrameType | None) -> types.FrameType | None:
        while frame is not None and frame.f_code.co_filename not in self.programs:
            frame = frame.f_back
        return frame

    def line(self) -> int:
        """The line that runs. A thread's functions run in lines: one for each that nothing of the
        program called. Line 0 is the program's own thread."""
        return 0 if get_ident() == self._main else vars(self._local).get("line", 0)

    def _new_frame(self, record: Record) -> None:
        self._frames[id(record)] = record
        self.tokens[id(record)] = {None: next(self.clock)}  # under a key that no site has

    def _constant(self, key: object) -> Record:
        """The record of a module or a class body, which is a constant of its code."""
        record = self._records.get(key)
        if record is None:
            record = self._records[key] = Record()
            self._new_frame(record)
        return record

    def record_of(self, frame: types.FrameType) -> Record | None:
        """The record of a frame in which something was recorded."""
        held = (*gc.get_referents(frame), *frame.f_code.co_consts)
        return next((r for r in held if type(r) is Record and id(r) in self._frames), None)

    def number_of(self, record: Record | None) -> int:
        """The number of a frame; a new one where nothing was recorded in it."""
        if record is None:
            record = Record()
            self._new_frame(record)
        number: int = self.tokens[id(record)][None]
        return number

    def iterate(self, cell: Cell, record: Record) -> None:
        """A recorded iteration begins, after ``cell.skipped`` plain ones."""
        kind = cell.kind
        if kind != "part":
            self.note(record)
            self.log.append((ITERATE, record, cell.number, cell.skipped))
        cell.skipped = 0
        if kind == "loop":
            self._loop = cell
        self._sample(cell)
        if not cell.plain:  # what the loop does is still new, so what it calls is recorded with it
            for function in self._functions:
                function.wake()

    def entered(self, path: str, scope: int) -> None:
        """The statements of a file's module, with the number ``scope``, run from now on."""
        self.log.append((ENTER, self.resolve(("record", scope), path), scope))

    def was_called(self, scope: int) -> bool | None:
        """Whether the function with this number was; None where that isn't known."""
        cell = next((c for c in self._functions if c.number == scope), None)
        return None if cell is None else cell.stable > 0 or cell.novel > 0

    def leave(self, cell: Cell, record: Record) -> None:
        """A loop ended by itself or by ``break``, after some more plain iterations."""
        left = cell.left
        self.log.append((LEAVE, record, cell.number, cell.skipped - left))
        cell.skipped = left

    def around(self, cell: Cell, record: Record, value: Any) -> Any:
        """A comprehension gave its value: its loop has ended, or, where it is a generator's, begins
        anew."""
        self.leave(cell, record)
        return value

    def resting(self) -> bool:
        """Whether a plain twin runs, as far as the loop entered last tells."""
        cell = self._loop
        return cell is not None and cell.plain != cell.skipped

    def _sample(self, cell: Cell) -> None:
        """Decide whether the plain twin runs next: once samples stop showing new sites or types."""
        log = self.log
        if len(log) > MAX_LOG:
            self.flush()
        if self.whole:
            return
        self._notice()
        if cell.position < len(self._new_sites):
            new = any(cell.first <= s < cell.last for s in self._new_sites[cell.position :])
            cell.position = len(self._new_sites)
            cell.novel += new
            if new and cell.novel < MAX_NOVEL_SAMPLES:
                cell.interval = 1
                cell.stable = 0
                return
        cell.stable += 1
        if cell.stable > STABLE_SAMPLES:
            cell.rest(cell.interval)
            cell.interval = min(cell.interval * 2, MAX_SAMPLE_INTERVAL)

    def _notice(self) -> None:
        """Look for new sites and types among what was logged since the last time."""
        for entry in self.log[self._position :]:
            if entry[0] >= 0:
                signature = (entry[0], entry[3], entry[4]) if len(entry) == 8 else entry[:1]
                if signature not in self._seen:
                    self._seen.add(signature)
                    self._new_sites.append(entry[0])
        self._position = len(self.log)

    def keep_contents(self) -> None:
        """Also tell what arrays hold, from the start of the run on."""
        self.log = Kept(self.contents)
        self.remarks.log = self.log
        self.space.update(LOG=self.log, log=self.log.append)
        self.native, self._enter = None, self.enter  # which know nothing of this

    def flush(self) -> None:
        """Hand the log over and start it anew. When that happens makes no difference to what is
        recorded."""
        self._notice()
        entries = self.log[:]
        taken = len(entries)
        if not entries:
            return
        if isinstance(self.log, Kept):
            entries = self.log.taken(entries)
        self.log[:taken] = [(SENT, entries[-1][1])]
        if entries[0][0] == SENT:
            del entries[0]
        self._position = 0
        self._remember(entries)
        self.hand_over(entries)
        if len(self._frames) > MAX_FRAMES:
            self._forget_frames()

    def _forget_frames(self) -> None:
        """Let go of frames that ended: nobody but us has their record."""
        for key, record in list(self._frames.items()):
            if sys.getrefcount(record) <= 4:  # here, in the list, in the dictionary, as an argument
                del self.tokens[key], self._frames[key]

    def _remember(self, entries: list[Entry]) -> None:
        """Keep of a log that is handed over which arrays were free of NaNs at its end."""
        clean = self._clean
        for entry in entries:
            kind = entry[0]
            if kind == UPDATE or (kind >= 0 and len(entry) == 8):
                token = entry[3 if kind == UPDATE else 2]
                if type(token) is weakref.ref:  # else it was given up
                    clean[id(token)] = token
            elif kind == STORE:
                clean.pop(id(entry[3]), None)
        if len(clean) > MAX_CLEAN:
            self._clean = {key: token for key, token in clean.items() if token() is not None}

    def flush_and_return(self, value: object) -> object:
        """Before a call that ends the process at once."""
        self.flush()
        self.leaving(sys._getframe(1).f_lineno)
        return value

    def imported(self) -> None:
        """After an import statement: libraries that appeared get their frontend."""
        self.frontends = [f for f in self.frontends if not f(self)]

    # ------------------------------------------------------------------ tokens

    def token(self, value: Any) -> object:
        """What identifies an operand: a weak token, a number, a tuple of tokens, or a type's
        name."""
        try:
            return self._token(value)
        except Exception:  # a type of the program's that refuses to be asked what it is
            return None

    def _token(self, value: Any) -> object:
        kind = type(value)
        if kind is self.space["ARRAY"]:
            return weakref.ref(value)
        if kind in self.space["TENSORS"]:
            return self._tensor_token(value)
        if kind in self.space["NUMBERS"]:
            return SMALL.get(value, value) if kind is int else value
        if value is None:
            return NOTHING
        thing = self.thing(value)
        if thing is not None:
            return thing
        if kind in self.space["SCALARS"]:
            return self.array_scalar(value)
        if kind in self.space["PACKS"]:
            return self.items(value)
        name = self.library_types.get(kind)
        if name is None and kind not in self.library_types:
            module = kind.__module__  # None of a type that C code made so
            known = type(module) is str and module.partition(".")[0] in self.libraries
            name = self.library_types[kind] = (
                f"{kind.__module__}.{kind.__qualname__}" if known else ""
            )
            if self.workers and name.startswith(self.workers):
                self.space["LIBRARY"] |= {kind}
        return name or None

    def _tensor_token(self, value: Any) -> object:
        """The token of a tensor. One that nothing refers to weakly was in no event yet, and may be
        gone when the log is sent: what hooks are given, for instance."""
        if not weakref.getweakrefcount(value):
            self.log.append((FOUND, self.going_on(), self.described(value)))
        return weakref.ref(value)

    def going_on(self) -> Record | None:
        """The record of the frame that events go on in."""
        return self.log[-1][1] if self.log else None

    def thing_held(self, value: Any) -> Thing | None:
        """The token of a layer or an optimizer, with what it holds: it may be gone when the log is
        sent."""
        thing = self.thing(value)
        if thing is not None and thing.held is None:
            thing.held = self.parts(value, self.described)
        return thing

    def identity(self, value: Any) -> object:
        """The token of a value of which nothing is to be told but which it is."""
        return weakref.ref(value) if type(value) in self.space["TENSORS"] else self.token(value)

    def described(self, value: Any) -> object:
        """The token of a value that no event may have given."""
        facts = self.facts.get(type(value))
        return self.token(value) if facts is None else Described(facts(value))

    def foreign(self, base: Any) -> object:
        """What stands for the memory of something that is no array: that of another library's, if
        it is one."""
        facts = self.facts.get(type(base))
        if facts is None:
            return "foreign"
        more = facts(base)[4]
        return (more and more[0]) or weakref.ref(base)

    def array_scalar(self, value: Any) -> Scalar:
        """The token of an array scalar."""
        return Scalar(value.item(), self.space["dtype_name"](value.dtype))

    def items(self, values: Any) -> object:
        """Tokens of the items of a tuple or list, where it holds few."""
        if type(values) not in self.space["PACKS"] or len(values) > MAX_PACK:
            return None
        arrays, numbers = self.facts, self.space["NUMBERS"]
        tokens = tuple(
            self.token(v) if type(v) in arrays else v if type(v) in numbers else None
            for v in values
        )
        if all(t is None for t in tokens):
            return None
        return Listed(tokens) if type(values) is list else tokens

    def passive(self, value: Any, path: tuple[str, ...]) -> object:
        """The token of ``value.path``, looked up so that no code of the program runs."""
        for attribute in path:
            value = self._attribute(value, attribute)
            if value is _missing:
                return None
        return self.token(value)

    def _attribute(self, value: Any, attribute: str) -> Any:
        if type(value) is self.space["ARRAY"] and attribute in _PLAIN_ATTRIBUTES:
            return getattr(value, attribute)
        own = _passive(value, attribute)
        return self.hidden(value, attribute) if own is _missing else own

    def reach(self, value: Any, steps: tuple[Any, ...], keys: tuple[Any, ...]) -> Any:
        """What lists, dictionaries and attributes hold at the end of a way from ``value``, found so
        that no code of the program runs; None where it can't be."""
        rest = iter(keys)
        for step in steps:
            if type(step) is str:
                value = self._attribute(value, step)
            else:
                value = _item(value, step[0] if step else next(rest, None))
            if value is _missing:
                return None
        return value

    def forget(self, record: Record, array: Any) -> Any:
        """Before ``array.resize``, which refuses an array with any weak reference: give its tokens
        up.

        The values of the log stay; their identity is replaced by a number.
        """
        if type(array) is not self.space["ARRAY"]:
            return array
        token = weakref.ref(array)
        number = Scalar(None, f"resized {id(token):x}")
        for i, entry in enumerate(self.log):
            if any(_names(part, token) for part in entry):
                self.log[i] = tuple(_without(part, token, number) for part in entry)
        if isinstance(self.log, Kept):
            self.log.forget(token)
        if self.native is not None:
            self.native.forget()
        for held in self.tokens.values():
            for site in [s for s, t in held.items() if _names(t, token)]:
                del held[site]
        self._nan_tokens.pop(id(token), None)
        self._clean.pop(id(token), None)
        self.hand_over([(FORGET, None, token)])  # the publisher forgets it too
        return array

    # ------------------------------------------------------------------ results that are no array

    def scalar(self, record: Record, site: int, value: Any, child: bool, operands: Entry) -> None:
        """An array scalar came out, or an array of another library, or one of its objects."""
        if type(value) in self.space["TENSORS"]:
            self.tensor(record, site, value, child, operands)
            return
        mark: Any = self.thing(value) or self.array_scalar(value)
        self.log.append((site, record, mark, operands))
        if child:
            self.tokens[id(record)][site] = mark
        if type(mark) is Scalar and mark.value != mark.value:
            values = tuple(o.value if type(o) is Scalar else None for o in operands)
            ignored = self.invalid_is_ignored()
            self.report_nan(record, site, mark, (1, 0, values), operands, ignored)

    def several(self, record: Record, site: int, value: Any, child: bool, operands: Entry) -> None:
        """A call gave None, a tuple or a list: of interest where arrays come or go."""
        self.note(record)
        result: object = None
        facts = self.facts
        if value is not None:
            tokens = self.items(value)
            scalars = self.space["SCALARS"]
            result = tuple(
                facts[type(v)](v) if type(v) in facts
                else self.array_scalar(v) if type(v) in scalars and hasattr(v, "dtype") else None
                for v in value
            )  # fmt: skip
            if child:
                self.tokens[id(record)][site] = tokens
        elif child:
            self.tokens[id(record)].pop(site, None)
        dead = tuple(type(o) is weakref.ref and o() is None for o in operands)
        self.log.append((site, record, result, dead, operands))
        if self.pending:
            self.ended(site, record)

    def begins(self, name: str, site: int, value: Any) -> Any:
        """A call by this name is about to be made on ``value``, or of it."""
        self.ended(site, None)  # one that an exception left
        look = self.before.get(name)
        end = None if look is None else look(site, value)
        if end is not None:
            self.pending.append((get_ident(), site, end))
        return value

    def ended(self, site: int, record: Record | None) -> None:
        """A call has ended, if one had begun at ``site``; those that begun inside were left."""
        thread = get_ident()
        own = [call for call in self.pending if call[0] == thread]
        if not any(known == site for _, known, _ in own):
            return
        for call in reversed(own):
            self.pending.remove(call)
            call[2](record if call[1] == site else None)
            if call[1] == site:
                return

    def holds(self, values: Any) -> bool:
        """Whether a tuple or list holds an array among few items, or in one of those."""
        arrays, packs = self.facts, self.space["PACKS"]
        return len(values) <= MAX_PACK and any(
            type(v) in arrays
            or (type(v) in packs and len(v) <= MAX_PACK and any(type(w) in arrays for w in v))
            for v in values
        )

    def returned(self, record: Record, site: int) -> None:
        """A call gave something else, and the callee recorded events."""
        self.note(record)
        self.log.append((RETURN, record, site))

    # ------------------------------------------------------------------ the first NaN

    def not_finite(self, record: Record, site: int, array: Any, operands: Entry) -> None:
        """A result may hold a NaN or an infinity: the slow path, which looks."""
        count, first = self.count_nans(array)
        if count:
            values = tuple(self.value_at(array, first, operand) for operand in operands)
            self.report_nan(record, site, weakref.ref(array), (count, first, values), operands,
                            self.invalid_is_ignored())  # fmt: skip

    def count_nans(self, array: Any) -> tuple[int, int]:
        """How many elements are NaN, and the flat index of the first (-1: none)."""
        count = self.nan_counts.get(type(array))
        return (0, -1) if count is None else count(array)

    def value_at(self, result: Any, index: int, operand: Any) -> object:
        """The element of an operand that broadcasting sets against one of the result."""
        if type(operand) is Described:
            operand = operand[0]
        if type(operand) is Scalar:
            return operand.value
        array = operand() if type(operand) is weakref.ref else None
        if array is None or array is result or array.ndim > result.ndim:
            return None
        element_at = self.elements.get(type(array))
        return element_at and element_at(array, index, result.shape)

    def report_nan(self, record: Record, site: int, token: object, found: Entry,
                   operands: Entry, ignored: bool) -> None:  # fmt: skip
        """A result has NaNs: log it where no operand had, or where it is the first of its site.

        ``found`` is their number, the index of the first, and what each operand has there;
        ``ignored`` says that the program expects them.
        """
        inherited = not ignored and any(self._has_nan(operand, token) for operand in operands)
        self._nan_tokens[id(token)] = token
        if not ignored and not inherited:
            self.log.append((NOT_FINITE, record, site, token, *found))
        elif inherited and site not in self._carrying:
            self._carrying.add(site)
            self.log.append((NOT_FINITE, record, site, token, *found[:2], None))

    def _has_nan(self, operand: object, result: object) -> bool:
        """Whether an operand had a NaN, or may have had: only certainty clears it."""
        if type(operand) is Described:
            operand = operand[0]
        if operand is result:  # in place: its old values are gone
            return not self._was_clean(operand)
        if isinstance(operand, tuple):
            return any(self._has_nan(item, result) for item in operand)
        if isinstance(operand, Scalar):
            return bool(operand.value != operand.value)
        if isinstance(operand, weakref.ref):
            if id(operand) in self._nan_tokens:
                return True
            array = operand()
            return array is not None and self.count_nans(array)[0] > 0
        if isinstance(operand, float | complex):
            return operand != operand
        return operand is None

    def _was_clean(self, token: object) -> bool:
        if id(token) in self._nan_tokens:
            return False
        for entry in reversed(self.log[:-1]):
            if entry[0] == UPDATE and entry[3] is token:
                return True
            if entry[0] == STORE and entry[3] is token:
                return False
            if entry[0] >= 0 and len(entry) == 8 and entry[2] is token:
                return True
        return id(token) in self._clean


def _names(part: object, token: object) -> bool:
    """Whether something of an entry has a token in it."""
    if isinstance(part, tuple):
        return any(_names(each, token) for each in part)
    return part is token  # their == would compare arrays


def _without(part: Any, token: object, other: object) -> Any:
    """The same with ``other`` in its place."""
    if isinstance(part, tuple) and _names(part, token):
        return type(part)(_without(each, token, other) for each in part)
    return other if part is token else part


def _ignore(*arguments: Any) -> None:
    """What a library would do that isn't there."""


def _unmade(*arguments: Any, make: Any) -> Any:
    """What a recorder is until its first call. To compile one takes a third of a millisecond, and
    many a program ends before it comes to most of its own."""
    return make()(*arguments)


def _make(recorder: types.FunctionType, text: str) -> Callable[..., Any]:
    try:
        module = compile(text, "<jit-lsp recorder>", "exec", dont_inherit=True)
    except (RecursionError, MemoryError):  # the program's to meet, at its own next call
        return _unrecorded
    recorder.__code__ = next(c for c in module.co_consts if type(c) is _CODE)
    return recorder


def _unrecorded(*arguments: Any) -> Any:
    """The value of the site, for those recorders that have one to give."""
    return arguments[2] if len(arguments) > 2 else None


class _Same:
    __slots__ = ()

    def __eq__(self, other: object) -> Any:
        return other

    __hash__ = object.__hash__


_SAME = _Same()
"""What any value is equal to so that the answer is the value itself."""


def _item(container: Any, key: Any) -> Any:
    """What a list, a tuple or a dictionary has there."""
    kind = type(container)
    if type(key) is int and (kind is list or kind is tuple):
        return container[key] if -len(container) <= key < len(container) else _missing
    if (type(key) is str or type(key) is int) and dict in kind.__mro__:
        return dict.get(container, key, _missing)
    return _missing


def _passive(value: Any, attribute: str) -> Any:
    """Look an attribute up without running code of the program: no property, no ``__getattr__``.

    Never touches ``__dict__``: that would materialise the dictionary of the object for good.
    """
    kind = type(value)
    if kind is types.ModuleType:
        return value.__dict__.get(attribute, _missing)
    lookup: object = kind.__getattribute__
    if lookup is not object.__getattribute__:
        return _missing
    for base in kind.__mro__:
        if attribute in base.__dict__:
            found = type(base.__dict__[attribute])
            if found is not _member_descriptor and hasattr(found, "__get__"):
                return _missing
            break
    try:
        return object.__getattribute__(value, attribute)
    except AttributeError:
        return _missing
