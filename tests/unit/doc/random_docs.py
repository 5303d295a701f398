"""Random documents, as the tuples of ``naive_layout``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random

from hypothesis import strategies as st
from naive_layout import Spec

texts = st.text("ab形é", min_size=1, max_size=6)
marks = st.sampled_from(["", ",", " ;"])
lines = st.sampled_from([("line", " "), ("line", ""), ("line", " "), ("line", None)])
leaves = st.one_of(texts.map(lambda s: ("text", s)), lines)


def containers(parts: st.SearchStrategy[Spec]) -> st.SearchStrategy[Spec]:
    several = st.lists(parts, max_size=4)
    words = st.lists(texts.map(lambda s: ("text", s)), max_size=9)
    steps = st.integers(0, 4)
    return st.one_of(
        st.tuples(st.just("cat"), several),
        st.tuples(st.sampled_from(["group", "group", "align", "flat", "reannotate"]), parts),
        st.tuples(st.just("nest"), st.integers(-3, 4), parts),
        st.tuples(st.sampled_from(["hang", "indent"]), steps, parts),
        st.tuples(st.just("annotate"), st.integers(0, 3), parts),
        st.tuples(st.just("flat_alt"), parts, parts),
        st.tuples(st.sampled_from(["column", "nesting", "page_width"]), parts),
        st.tuples(
            st.sampled_from(["vsep", "sep", "hsep", "cat_of", "vcat", "hcat"]),
            marks,
            several | words,
        ),
        st.tuples(st.just("fill"), marks, st.sampled_from([" ", " ", "", None]), several | words),
        st.tuples(st.just("encloses"), st.integers(-3, 4), several | words),
    )


specs: st.SearchStrategy[Spec] = st.recursive(leaves, containers, max_leaves=25)
widths = st.integers(1, 40)
ribbons = st.sampled_from([1.0, 1.0, 0.5, 0.2])


def many_specs(seed: int, count: int) -> Iterator[Spec]:
    """Random documents without a search for small ones: ten times as many in the same time."""
    draw = Random(seed)
    for _ in range(count):
        yield _spec(draw, draw.randint(1, 5))


def many_towers(seed: int, count: int) -> Iterator[Spec]:
    """Random documents in two to nine concatenations of one another, some of them groups."""
    draw = Random(seed)
    for _ in range(count):
        spec = _spec(draw, 2)
        for _ in range(draw.randint(2, 9)):
            ends = [[_leaf(draw) for _ in range(draw.randint(0, 3))] for _ in "ab"]
            spec = ("cat", [*ends[0], spec, *ends[1]])
            if draw.random() < 0.6:
                spec = ("group", spec)
        by = draw.choice([0, 0, 3])
        yield ("cat", [("nest", by, spec), _leaf(draw)])


def _spec(draw: Random, depth: int) -> Spec:
    if depth == 0 or draw.random() < 0.2:
        return _leaf(draw)
    part = partial(_spec, draw, depth - 1)
    several = [part() for _ in range(draw.randint(0, 4))]
    words = [("text", draw.choice(["a", "bc", "形状", "defg"])) for _ in range(draw.randint(0, 9))]
    items = draw.choice([several, several, words])
    mark = draw.choice(["", ",", " ;"])
    name = draw.choice([*["cat", "group", "group"] * 3, *NAMES])
    match name:
        case "cat":
            return (name, several)
        case "nest" | "hang" | "indent":
            return (name, draw.randint(-3 if name == "nest" else 0, 4), part())
        case "annotate":
            return (name, draw.randint(0, 3), part())
        case "flat_alt":
            return (name, part(), part())
        case "vsep" | "sep" | "hsep" | "cat_of" | "vcat" | "hcat":
            return (name, mark, items)
        case "fill":
            return (name, mark, draw.choice([" ", " ", "", None]), items)
        case "encloses":
            return (name, draw.randint(-3, 4), items)
    return (name, part())


def _leaf(draw: Random) -> Spec:
    if draw.random() < 0.6:
        return ("text", draw.choice(["a", "bc", "def", "形", "é", "ghijk"]))
    return draw.choice([("line", " "), ("line", " "), ("line", ""), ("line", None)])


NAMES = [
    *("align", "flat", "reannotate", "nest", "hang", "indent", "annotate", "flat_alt"),
    *("column", "nesting", "page_width"),
    *("vsep", "sep", "hsep", "cat_of", "vcat", "hcat", "fill", "fill", "encloses", "encloses"),
]
