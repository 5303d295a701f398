"""Random documents, as the tuples of ``naive_layout``."""

from __future__ import annotations

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
        st.tuples(st.just("encloses"), several),
    )


specs: st.SearchStrategy[Spec] = st.recursive(leaves, containers, max_leaves=25)
widths = st.integers(1, 40)
ribbons = st.sampled_from([1.0, 1.0, 0.5, 0.2])
