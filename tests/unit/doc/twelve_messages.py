"""Twelve messages that are looked at: see ``tests/golden/messages``."""

from __future__ import annotations

from collections.abc import Callable

from jit_lsp.doc import Doc, Source, Span, Style, annotate
from jit_lsp.doc.message import (
    Call,
    Label,
    Operand,
    Verbosity,
    call_path,
    fix,
    header,
    help_,
    listing,
    message,
    note,
    operand_table,
    phrase,
    snippet,
    table,
)


def at(source: Source, line: int, words: str, text: Doc = "", primary: bool = False) -> Label:
    """A label of ``words`` in a line of ``source``."""
    column = source.line(line).index(words)
    span = Span(source.path, line, column, line, column + len(words))
    return Label(span, text, primary)


def listed(path: str, first: int, *lines: str) -> Source:
    """A file of which only ``lines``, from ``first`` on, matter."""
    return Source(path, "\n" * (first - 1) + "\n".join(lines) + "\n")


def shape_mismatch(verbosity: Verbosity) -> Doc:
    train = listed("train.py", 7, "W1 = params.reshape(512, 10)", *[""] * 6, "    h = x @ W1 + b1")
    return message(
        header(
            "error",
            "shape-mismatch",
            phrase(
                "{op:strong}: axis {i:value} of {x:name} is {n:value}, "
                "axis {j:value} of {w:name} is {m:value}",
                op="x @ W1",
                x="x",
                w="W1",
                i=1,
                j=0,
                n=784,
                m=512,
            ),
            link="file:///home/me/.cache/jit-lsp/rules/shape-mismatch.md",
        ),
        snippet(
            {"train.py": train},
            [
                at(train, 7, "params.reshape(512, 10)", "W1 got its shape here"),
                at(train, 14, "x @ W1", primary=True),
            ],
        ),
        operand_table(
            [
                Operand("x", "f32", ["batch=64", "784"]),
                Operand("W1", "f32", ["512", "10"], frozenset({0}), "must be 784"),
            ]
        ),
        fix("params.reshape(784, 10) has the right number of elements, 7840"),
        verbosity=verbosity,
    )


def outer_broadcast(verbosity: Verbosity) -> Doc:
    fit = listed("fit.py", 31, "    err = pred - y")
    return message(
        header(
            "warning",
            "implicit-outer-broadcast",
            "pred - y makes a [100, 100] table out of 100 and 100 values",
        ),
        snippet({"fit.py": fit}, [at(fit, 31, "pred - y", primary=True)]),
        operand_table(
            [
                Operand("pred", "f64", ["100", "1"], origin="from X @ w, line 30"),
                Operand("y", "f64", ["100"], origin="from data[:, 2], line 12"),
                Operand("⇒", "f64", ["100", "100"], origin="80 kB instead of 0.8 kB"),
            ]
        ),
        fix("pred[:, 0] - y        (or y[:, None] to keep the column)"),
        verbosity=verbosity,
    )


def saved_tensor(verbosity: Verbosity) -> Doc:
    model = listed(
        "model.py",
        39,
        "    out = (gate * x).sum()",
        "",
        "    gate += 0.1",
        *[""] * 10,
        "out.backward()",
    )
    return message(
        header(
            "error",
            "modified-saved-tensor",
            "gate += 0.1 changes a value that backward still needs",
        ),
        snippet(
            {"model.py": model},
            [
                at(model, 39, "gate * x", "mul saved gate (version 0) for its gradient"),
                at(model, 41, "gate += 0.1", "now version 1", primary=True),
                at(model, 52, "out.backward()", "fails here"),
            ],
        ),
        fix("gate = gate + 0.1"),
        verbosity=verbosity,
    )


def mutated_argument(verbosity: Verbosity) -> Doc:
    signal = listed(
        "signal.py",
        7,
        "    v /= v.max()",
        "    return v",
        "",
        "signal = record()",
        "unit = normalise(signal)",
        "gain = signal.max()",
    )
    return message(
        header("warning", "mutated-argument", "normalise() divides the caller's array in place"),
        snippet(
            {"signal.py": signal},
            [
                at(signal, 7, "v /= v.max()", "v is signal, made at line 10", primary=True),
                at(signal, 11, "signal", "passed here"),
                at(signal, 12, "signal.max()", "read here: 1.0, was 4.0 before the call"),
            ],
        ),
        fix("v = v / v.max()"),
        verbosity=verbosity,
    )


def lost_write(verbosity: Verbosity) -> Doc:
    grade = listed("grade.py", 9, "scores[rows][bad] = -1")
    return message(
        header(
            "warning",
            "lost-write",
            "scores[rows][bad] = -1 writes into a copy; scores stays as it was",
        ),
        snippet(
            {"grade.py": grade},
            [
                at(grade, 9, "scores[rows][bad] = -1", "", primary=True),
                at(grade, 9, "scores[rows]", "an index list copies: f64[3, 2]"),
                at(grade, 9, "[bad] = -1", "gone after this line"),
            ],
        ),
        fix("scores[np.asarray(rows)[bad]] = -1"),
        verbosity=verbosity,
    )


def first_nan(verbosity: Verbosity) -> Doc:
    loss = listed("loss.py", 17, "p = softmax(z)", "    return -(t * np.log(p)).sum()")
    return message(
        header("warning", "first-nan", "the first NaN of the run: np.log(p) at p[3, 7] = 0.0"),
        snippet(
            {"loss.py": loss},
            [
                at(loss, 17, "softmax(z)", "min 0.0, max 1.0"),
                at(loss, 18, "np.log(p)", "f32[32, 10]: 1 of 320 is -inf", primary=True),
                at(loss, 18, "t * np.log(p)", "0 · -inf is NaN"),
            ],
        ),
        note("214 later operations carry it; the last is loss at line 40"),
        fix("np.log(np.maximum(p, np.finfo(p.dtype).tiny))"),
        verbosity=verbosity,
    )


def verifier(verbosity: Verbosity) -> Doc:
    graph = Source(
        "@update",
        "graph @update(%x.0: f32[8], %i.1: i64[]) {\n"
        "  %x.2 : f32[8] = np.setitem!(%x.0, %i.1, 1.0)     # step.py:4:5\n"
        "  %y.3 : f32[8] = np.add(%x.0, %x.0)               # step.py:5:9\n"
        "  return %y.3\n"
        "}",
    )
    use = at(graph, 3, "%x.0", primary=True)
    second = Span("@update", 3, use.span.end_column + 2, 3, use.span.end_column + 6)
    return message(
        header("error", "ir-verifier", "%x.0 is used after np.setitem! consumed it"),
        snippet(
            {"@update": graph},
            [use, Label(second, "use %x.2", primary=True)],
            context=2,
            numbered=False,
            headed=False,
        ),
        verbosity=verbosity,
    )


def two_files(verbosity: Verbosity) -> Doc:
    model = listed("lib/model.py", 22, "        rng.shuffle(order)", "        return order")
    train = listed("train.py", 9, "for row in data[shuffled(order)]:")
    return message(
        header("error", "none-result", "rng.shuffle(order) returns None: it shuffles in place"),
        snippet(
            {"lib/model.py": model, "train.py": train},
            [
                at(model, 22, "rng.shuffle(order)", "None, order itself is new", primary=True),
                at(train, 9, "shuffled(order)", "used as an index here"),
            ],
        ),
        call_path(
            [
                Call(Span("train.py", 40, 0, 40, 6), "main"),
                Call(Span("train.py", 31, 4, 31, 9), "epoch"),
                Call(Span("train.py", 9, 16, 9, 31), "shuffled"),
            ]
        ),
        fix("rng.permutation(order)"),
        verbosity=verbosity,
    )


def ragged_rows(verbosity: Verbosity) -> Doc:
    load = listed(
        "load.py",
        4,
        "table = np.array([",
        "    [1.0, 2.0, 3.0],",
        "    [4.0, 5.0],",
        "    [6.0, 7.0, 8.0],",
        "], dtype=float)",
    )
    whole = Label(Span("load.py", 4, 8, 8, 15), "3 rows make no [3, 3] array")
    return message(
        header("error", "ragged-array", "row 1 has 2 values, the others have 3"),
        snippet({"load.py": load}, [whole, at(load, 6, "[4.0, 5.0]", "2 values", primary=True)]),
        help_("fill the gap with np.nan, or keep the rows in a list"),
        verbosity=verbosity,
    )


def upcast(verbosity: Verbosity) -> Doc:
    step = listed("step.py", 58, "        w -= lr * grad * np.float64(decay)")
    rows = [
        ["w", "f32", "4.0 MB"],
        ["lr * grad", "f32", "4.0 MB"],
        [annotate(Style.MARKED, "… * decay"), annotate(Style.MARKED, "f64"), "8.0 MB"],
    ]
    return message(
        header("information", "silent-upcast", "np.float64(decay) makes the update f64"),
        snippet({"step.py": step}, [at(step, 58, "np.float64(decay)", "f64", primary=True)]),
        table(rows, header=["value", "type", "size"]),
        note("the result is rounded to f32 again when it is subtracted from w"),
        fix("np.float32(decay)"),
        verbosity=verbosity,
    )


def hostile_text(verbosity: Verbosity) -> Doc:
    source = listed(
        "データ/<b>`x`|y.py",
        3,
        "\tmsg = f'``{名前}`` | <script>' + '\x1b[31m' + ok + "
        + " + ".join(["'padding'"] * 12)
        + " + é",
    )
    return message(
        header(
            "hint", "object-array", "`名前` | <i>*x*</i> holds \x1b[31mobjects\x1b[0m, 3 of 4 👩‍🔬"
        ),
        snippet(
            {source.path: source},
            [
                at(source, 3, "名前", "wide characters keep the marks in place"),
                at(source, 3, "ok", "primary", primary=True),
                at(source, 3, "é", "far to the right"),
            ],
        ),
        note("a note with | pipes, `ticks` and <html>, *stars* and __underscores__"),
        fix("x = [y for y in `z`]"),
        verbosity=verbosity,
    )


def much_to_say(verbosity: Verbosity) -> Doc:
    loop = listed(
        "collect.py", 12, "for step in range(10_000):", "    out = np.append(out, f(step))"
    )
    return message(
        header(
            "hint",
            "quadratic-append",
            "np.append copied 400 MB in 10,000 steps to build an array of 80 kB: "
            "each call copies all that came before",
        ),
        snippet(
            {"collect.py": loop},
            [
                at(loop, 12, "range(10_000)", "10,000 times"),
                at(loop, 13, "np.append(out, f(step))", "80 kB in the end", primary=True),
            ],
        ),
        listing([f"step {10**i:,}: {8 * 10**i:,} bytes copied" for i in range(12)]),
        note("time spent copying: 1.9 s of 2.4 s"),
        note("the array itself is read once, at line 20"),
        help_("collect in a list, and make the array once, behind the loop"),
        fix("out.append(f(step)); ...; out = np.array(out)"),
        verbosity=verbosity,
    )


MESSAGES: dict[str, Callable[[Verbosity], Doc]] = {
    build.__name__.replace("_", "-"): build
    for build in (
        shape_mismatch,
        outer_broadcast,
        saved_tensor,
        mutated_argument,
        lost_write,
        first_nan,
        verifier,
        two_files,
        ragged_rows,
        upcast,
        hostile_text,
        much_to_say,
    )
}
