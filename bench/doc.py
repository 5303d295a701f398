"""The document algebra against other pretty-printers, and against the floor.

The floor is ``''.join`` of the pieces that the document consists of: its texts, and a text for each
line. Every printer gets the same document, built with its own combinators; where it has none for
the purpose, it is left out. Every time is the best of five runs, or of fewer if they take long. A
printer that needs more than 20 seconds, or more stack than there is, does not survive.
"""

from __future__ import annotations

import gc
import pprint
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from io import StringIO
from math import log10
from time import perf_counter
from typing import Any

import prettyprinter.doc as pp
import rich.pretty
import wadler_lindig as wl
from prettyprinter.doctypes import Concat, Fill, FlatChoice
from prettyprinter.layout import layout_fast
from prettyprinter.sdoctypes import SLine
from wadler_lindig._wadler_lindig import pformat_doc as wl_layout

from jit_lsp import doc as d
from jit_lsp.doc.message import Style
from jit_lsp.doc.tables import columns

WIDTH = 80
PATIENCE = 20  # seconds
RUNS = 5


@dataclass
class Case:
    """One document: how each printer builds it, and its pieces."""

    name: str
    ours: Callable[[], d.Doc]
    wadler_lindig: Callable[[], Any] | None
    prettyprinter: Callable[[], Any]
    value: Any = None  # for printers that print values only
    times: dict[str, float] = field(default_factory=dict)
    pieces: list[str] = field(default_factory=list)


def main() -> None:
    header = ["document", "pieces", "join", "layout", "/ join", "wadler-lindig", "prettyprinter"]
    header += ["rich", "pprint", "build", "wl build", "pp build"]
    rows = []
    for case in cases():
        measure(case)
        rows.append(row(case))
    print(d.render_plain(columns([header, *rows], headed=True), width=200))
    print("\nTimes in milliseconds; in brackets how many times slower than our layout (or build).")
    growth()


def row(case: Case) -> list[str]:
    t = case.times
    cells = [case.name, f"{len(case.pieces):,}", ms(t["join"]), ms(t["layout"])]
    cells.append(f"{t['layout'] / t['join']:.1f}")
    for name in ("wadler_lindig", "prettyprinter", "rich", "pprint"):
        cells.append(against(t.get(name), t["layout"]))
    cells.append(ms(t["build"]))
    for name in ("wadler_lindig build", "prettyprinter build"):
        cells.append(against(t.get(name), t["build"]))
    return cells


def ms(seconds: float) -> str:
    return f"{seconds * 1e3:,.1f}"


def against(seconds: float | None, ours: float) -> str:
    if seconds is None:
        return "-"
    if seconds < 0:
        return {-1: "stack overflow", -2: f"> {PATIENCE} s"}[int(seconds)]
    return f"{ms(seconds)} ({seconds / ours:,.1f})"


def measure(case: Case) -> None:
    t = case.times
    pieces = case.pieces = leaves(case.prettyprinter())
    t["join"] = best(lambda: "".join(pieces))
    t["build"] = best(case.ours)
    doc = case.ours()
    t["layout"] = best(lambda: d.layout(doc, d.LayoutOptions(WIDTH)).text)
    assert squeezed(d.layout(doc).text) == squeezed("".join(pieces)), case.name
    if build := case.wadler_lindig:
        t["wadler_lindig build"] = best(build)
        theirs = survived(build)
        t["wadler_lindig"] = best(lambda: wl_layout(theirs, WIDTH))
    build = case.prettyprinter
    t["prettyprinter build"] = best(build)
    other = build()
    t["prettyprinter"] = best(lambda: prettyprinter_text(other))
    if case.value is not None:
        t["rich"] = best(lambda: rich.pretty.pretty_repr(case.value, max_width=WIDTH))
        t["pprint"] = best(lambda: pprint.pformat(case.value, width=WIDTH))


def growth() -> None:
    """Layout time from 10^4 to 10^6 leaves: the exponent of a power law through the ends."""
    print("\nGrowth of layout time, nested lists:")
    times = {}
    for n in (10_000, 100_000, 1_000_000):
        doc = nested_ours(nested(n))
        times[n] = best(lambda doc=doc: d.layout(doc))
        print(f"  {n:>9,} leaves  {ms(times[n]):>9} ms  {times[n] / n * 1e9:.0f} ns a leaf")
    print(f"  exponent {log10(times[1_000_000] / times[10_000]) / 2:.3f}")


def best(run: Callable[[], object]) -> float:
    """The best time of several runs, in seconds; negative if it did not survive."""
    seconds: list[float] = []
    while len(seconds) < RUNS and sum(seconds) < PATIENCE / 4:
        gc.collect()
        signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(TimeoutError()))
        signal.alarm(PATIENCE)
        try:
            start = perf_counter()
            result = run()
            seconds.append(perf_counter() - start)
            del result
        except RecursionError:
            return -1
        except TimeoutError:
            return -2
        finally:
            signal.alarm(0)
    return min(seconds)


def survived(build: Callable[[], Any]) -> Any:
    try:
        return build()
    except RecursionError:
        return None


def squeezed(text: str) -> str:
    return "".join(text.split())


def prettyprinter_text(doc: Any) -> str:
    out = StringIO()
    for piece in layout_fast(doc, WIDTH, 1.0):
        if isinstance(piece, str):
            out.write(piece)
        elif isinstance(piece, SLine):
            out.write("\n" + " " * piece.indent)
    return out.getvalue()


# The documents


def cases() -> list[Case]:
    n = 100_000
    tree = nested(n)
    numbers = [str(i * 7919 % 10_007) for i in range(n)]
    words = [("alpha", "of", "gradients", "is", "shape", "a")[i * 7 % 6] for i in range(n)]
    values = [int(number) for number in numbers]
    deep = 10_000
    return [
        Case(
            "nested lists 10^5",
            lambda: nested_ours(tree),
            lambda: nested_wl(tree),
            lambda: nested_pp(tree),
            tree,
        ),
        Case(
            "flat list 10^5",
            lambda: d.encloses("[", numbers, "]"),
            lambda: wl.bracketed(
                wl.TextDoc("["), [wl.TextDoc(x) for x in numbers], WL_COMMA, wl.TextDoc("]"), 2
            ),
            lambda: bracketed_pp(numbers),
            values,
        ),
        Case(
            "fill 10^5 words",
            lambda: d.fill_sep(words),
            lambda: wl.join(wl.GroupDoc(wl.BreakDoc(" ")), [wl.TextDoc(x) for x in words]),
            lambda: pp.fill(between(words, pp.LINE)),
        ),
        Case(
            "SSA listing 10^5",
            lambda: d.vcat([statement_ours(i) for i in range(n)]),
            lambda: wl.join(wl.BreakDoc(""), [statement_wl(i) for i in range(n)]),
            lambda: pp.concat(between([statement_pp(i) for i in range(n)], pp.HARDLINE)),
        ),
        Case(
            "annotated listing 10^4",
            lambda: d.vcat([annotated_ours(i) for i in range(n // 10)]),
            None,
            lambda: pp.concat(between([annotated_pp(i) for i in range(n // 10)], pp.HARDLINE)),
        ),
        Case(
            "deep groups 10^4",
            lambda: deep_ours(deep),
            lambda: deep_wl(deep),
            lambda: deep_pp(deep),
        ),
    ]


def between(items: list[Any], separator: Any) -> list[Any]:
    both = [separator] * (2 * len(items) - 1)
    both[::2] = items
    return both


def nested(leaves: int) -> list[Any]:
    """Lists of one to nine members, of numbers and such lists, eight deep at most."""
    state = 12345
    left = leaves

    def draw() -> int:
        nonlocal state
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        return state >> 8

    def some(depth: int) -> list[Any]:
        nonlocal left
        items: list[Any] = []
        for _ in range(1 + draw() % 9):
            if depth < 8 and draw() % 3 == 0:
                items.append(some(depth + 1))
            else:
                left -= 1
                items.append(draw() % 100_000)
        return items

    top = []
    while left > 0:
        top.append(some(1))
    return top


def leaves(doc: Any) -> list[str]:
    """The texts of a document of ``prettyprinter``, and one for each line."""
    pieces: list[str] = []
    todo = [doc]
    while todo:
        x = todo.pop()
        if isinstance(x, str):
            pieces.append(x)
        elif isinstance(x, FlatChoice) or x is pp.HARDLINE:
            pieces.append("\n")
        elif isinstance(x, Concat | Fill):
            todo.extend(reversed(x.docs))
        else:
            todo.append(x.doc)
    return pieces


def nested_ours(value: Any) -> d.Doc:
    if isinstance(value, list):
        return d.encloses("[", [nested_ours(item) for item in value], "]")
    return str(value)


WL_COMMA = wl.TextDoc(",") + wl.BreakDoc(" ")


def nested_wl(value: Any) -> Any:
    if isinstance(value, list):
        items = [nested_wl(item) for item in value]
        return wl.bracketed(wl.TextDoc("["), items, WL_COMMA, wl.TextDoc("]"), 2)
    return wl.TextDoc(str(value))


PP_COMMA = pp.concat([",", pp.LINE])


def bracketed_pp(items: list[Any]) -> Any:
    body = pp.nest(2, pp.concat([pp.SOFTLINE, *between(items, PP_COMMA)]))
    return pp.group(pp.concat(["[", body, pp.SOFTLINE, "]"]))


def nested_pp(value: Any) -> Any:
    if isinstance(value, list):
        return bracketed_pp([nested_pp(item) for item in value])
    return str(value)


# %12.h : f32[64, 128] = np.matmul(%11.x, %7.W)   # train.py:12:5


def statement_ours(i: int) -> d.Doc:
    shape = d.hsep(["64,", "128"])
    call = d.encloses("np.matmul(", [f"%{i - 1}.x", "%7.W"], ")")
    return d.concat(f"%{i}.h : f32[", shape, "] = ", call, f"  # train.py:{i % 1000}:5")


def statement_wl(i: int) -> Any:
    t = wl.TextDoc
    shape = wl.join(t(", "), [t("64"), t("128")])
    arguments = [t(f"%{i - 1}.x"), t("%7.W")]
    call = wl.bracketed(t("np.matmul("), arguments, WL_COMMA, t(")"), 2)
    place = t(f"  # train.py:{i % 1000}:5")
    return wl.ConcatDoc(t(f"%{i}.h : f32["), shape, t("] = "), call, place)


def statement_pp(i: int) -> Any:
    shape = pp.concat(["64", ", ", "128"])
    body = pp.nest(2, pp.concat([pp.SOFTLINE, f"%{i - 1}.x", PP_COMMA, "%7.W"]))
    call = pp.group(pp.concat(["np.matmul(", body, pp.SOFTLINE, ")"]))
    return pp.concat([f"%{i}.h : f32[", shape, "] = ", call, f"  # train.py:{i % 1000}:5"])


def annotated_ours(i: int) -> d.Doc:
    kind = d.annotate(Style.TYPE, "f32[", d.hsep(["64,", "128"]), "]")
    arguments = [d.annotate(Style.NAME, f"%{i - 1}.x"), d.annotate(Style.NAME, "%7.W")]
    call = d.concat(d.annotate(Style.KEYWORD, "np.matmul"), d.encloses("(", arguments, ")"))
    place = d.annotate(Style.PATH, f"  # train.py:{i % 1000}:5")
    return d.concat(d.annotate(Style.NAME, f"%{i}.h"), " : ", kind, " = ", call, place)


def annotated_pp(i: int) -> Any:
    kind = pp.annotate(Style.TYPE, pp.concat(["f32[", "64", ", ", "128", "]"]))
    arguments = [pp.annotate(Style.NAME, f"%{i - 1}.x"), pp.annotate(Style.NAME, "%7.W")]
    body = pp.nest(2, pp.concat([pp.SOFTLINE, arguments[0], PP_COMMA, arguments[1]]))
    brackets = pp.group(pp.concat(["(", body, pp.SOFTLINE, ")"]))
    call = pp.concat([pp.annotate(Style.KEYWORD, "np.matmul"), brackets])
    place = pp.annotate(Style.PATH, f"  # train.py:{i % 1000}:5")
    return pp.concat([pp.annotate(Style.NAME, f"%{i}.h"), " : ", kind, " = ", call, place])


def deep_ours(depth: int) -> d.Doc:
    doc: d.Doc = "0"
    for _ in range(depth):
        doc = d.group("[", d.softline, doc, d.softline, "]")
    return doc


def deep_wl(depth: int) -> Any:
    doc: Any = wl.TextDoc("0")
    for _ in range(depth):
        end = wl.BreakDoc("")
        doc = wl.ConcatDoc(wl.TextDoc("["), end, doc, end, wl.TextDoc("]")).group()
    return doc


def deep_pp(depth: int) -> Any:
    doc: Any = pp.concat(["0"])
    for _ in range(depth):
        doc = pp.group(pp.concat(["[", pp.SOFTLINE, doc, pp.SOFTLINE, "]"]))
    return doc
