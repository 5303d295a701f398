"""The layout rule, as naive as it can be said: what the fast layout is measured against.

A document is described by a tuple, which ``build`` turns into a real one with the combinators and
``naive`` lays out by walking: no cached widths, no bulk nodes, derived combinators spelled out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from jit_lsp import doc as d
from jit_lsp.doc import Doc, display_width
from jit_lsp.doc.nodes import INFINITE

Spec = Any  # ("text", s), ("line", flat), ("cat", specs), ("group", spec), ...


def build(spec: Spec) -> Doc:
    match spec:
        case ("text", s):
            return d.text(s)
        case ("line", flat):
            return {" ": d.line, "": d.softline, None: d.hardline}[flat]
        case ("cat", parts):
            return d.concat(*map(build, parts))
        case ("group" | "align" as name, part):
            return getattr(d, name)(build(part))
        case ("flat", part):
            doc = build(part)
            return doc if getattr(doc, "w", 0) >= INFINITE else d.flat(doc)
        case ("nest" | "hang" | "indent" as name, by, part):
            return getattr(d, name)(by, build(part))
        case ("annotate", mark, part):
            return d.annotate(mark, build(part))
        case ("reannotate", part):
            return d.reannotate(lambda mark: None if mark == 0 else -mark, build(part))
        case ("flat_alt", broken, flat):
            return d.flat_alt(build(broken), build(flat))
        case ("column" | "nesting" | "page_width" as name, part):
            return getattr(d, name)(lambda n: d.concat(str(n), build(part)))
        case ("vsep" | "sep" | "hsep" | "cat_of" | "vcat" | "hcat" as name, mark, parts):
            combinator = d.cat if name == "cat_of" else getattr(d, name)
            return combinator(d.punctuate(mark, [build(part) for part in parts]))
        case ("fill", mark, flat, parts):
            end = build(("line", flat))
            return d.fill([build(part) for part in parts], mark + end if mark else end)
        case ("encloses", by, parts):
            return d.encloses("[", [build(part) for part in parts], "]", by=by)
    raise AssertionError(spec)


Marked = list[tuple[str, tuple[int, ...]]]  # characters, with the annotations around each


class State(NamedTuple):
    """What holds for a part of a document."""

    indentation: int = 0
    flat: bool = False
    marks: tuple[int, ...] = ()
    images: int = 0  # how many reannotations it is in


def naive(spec: Spec, width: int, ribbon: float = 1.0) -> Marked:
    """The characters of ``spec`` laid out for ``width``."""
    out: Marked = []
    start = column = 0  # of the current line: its indentation, and how far it is
    todo: list[tuple[State, Spec]] = [(State(), spec)]  # what comes next is last

    def put(s: str, marks: tuple[int, ...]) -> None:
        out.extend((character, marks) for character in s)

    while todo:
        state, spec = todo.pop()
        indentation, flat, marks, images = state
        match spelled_out(spec, (column, indentation, width)):
            case ("text", s):
                put(s, marks)
                column += display_width(s)
            case ("line", s) if flat:
                put(s, marks)
                column += len(s)
            case ("line", _):
                if column == start and start and "".join(c for c, _ in out[-start:]).isspace():
                    del out[-start:]
                put("\n" + " " * indentation, marks)
                start = column = indentation
            case ("cat", parts):
                todo += [(state, part) for part in reversed(parts)]
            case ("group", part):
                room = min(width, start + max(1, round(ribbon * width))) - column
                ask = [(s.indentation, s.flat, p) for s, p in todo]
                ask.append((indentation, True, part))
                todo.append((state._replace(flat=flat or fits(room, ask, column, width)), part))
            case ("flat", part):
                todo.append((state._replace(flat=flat or not never_flat(part)), part))
            case ("nest", by, part):
                todo.append((state._replace(indentation=max(0, indentation + by)), part))
            case ("align", part):
                todo.append((state._replace(indentation=column), part))
            case ("flat_alt", broken, alternative):
                todo.append((state, alternative if flat else broken))
            case ("annotate", mark, part):
                kept = (mark if images % 2 == 0 else -mark,)
                gone = images and mark == 0
                todo.append((state._replace(marks=marks if gone else marks + kept), part))
            case ("reannotate", part):
                todo.append((state._replace(images=images + 1), part))
    return out


def fits(room: int, todo: list[tuple[int, bool, Spec]], column: int, width: int) -> bool:
    """Whether what is next fits into ``room``, up to the next place where the line may end."""
    while todo and room >= 0:
        indentation, flat, spec = todo.pop()
        if spec[0] in ("column", "nesting", "page_width") and not flat:
            return True
        if spec[0] == "flat" and not flat and depends_on_place(spec):
            return True
        match spelled_out(spec, (column, indentation, width)):
            case ("text", s):
                room -= display_width(s)
                column += display_width(s)
            case ("line", None) if flat:
                return False
            case ("line", s) if flat:
                room -= len(s)
                column += len(s)
            case ("line", _):
                return True
            case ("cat", parts):
                todo += [(indentation, flat, part) for part in reversed(parts)]
            case ("nest", by, part):
                todo.append((max(0, indentation + by), flat, part))
            case ("align", part):
                todo.append((column, flat, part))
            case ("flat_alt", broken, alternative):
                todo.append((indentation, flat, alternative if flat else broken))
            case ("flat", part):
                todo.append((indentation, flat or not never_flat(part), part))
            case ("group" | "reannotate", part) | ("annotate", _, part):
                todo.append((indentation, flat, part))
    return room >= 0


def never_flat(spec: Spec) -> bool:
    """Whether a hard line is in the flat form of ``spec``, wherever it is."""
    match spec:
        case ("line", flat):
            return flat is None
        case ("flat_alt", _, alternative):
            return never_flat(alternative)
        case ("vcat", _, parts):
            return len(parts) > 1 or any(map(never_flat, parts))
        case ("fill", _, None, parts):
            return len(parts) > 1 or any(map(never_flat, parts))
        case (_, *_, list(parts)):
            return any(map(never_flat, parts))
        case (_, *_, tuple(part)):
            return never_flat(part)
    return False


def depends_on_place(spec: Spec) -> bool:
    """Whether anything in ``spec`` does."""
    return "column" in (text := str(spec)) or "nesting" in text or "page_width" in text


def spelled_out(spec: Spec, place: tuple[int, int, int]) -> Spec:
    """``spec`` by the primitive combinators."""
    match spec:
        case ("hang", by, part):
            return ("align", ("nest", by, part))
        case ("indent", by, part):
            return ("align", ("nest", by, ("cat", [("text", " " * by), part])))
        case ("column" | "nesting" | "page_width" as name, part):
            n = place[("column", "nesting", "page_width").index(name)]
            return ("cat", [("text", str(n)), part])
        case ("vsep", mark, parts):
            return between(parts, [("text", mark), ("line", " ")])
        case ("hsep", mark, parts):
            return between(parts, [("text", mark), ("text", " ")])
        case ("vcat", mark, parts):
            return between(parts, [("text", mark), ("line", None)])
        case ("hcat", mark, parts):
            return between(parts, [("text", mark)])
        case ("sep", mark, parts):
            return ("group", ("vsep", mark, parts))
        case ("cat_of", mark, parts):
            return ("group", between(parts, [("text", mark), ("line", "")]))
        case ("fill", mark, flat, parts):
            return between(parts, [("text", mark), ("group", ("line", flat))])
        case ("encloses", _, []):
            return ("text", "[]")
        case ("encloses", by, parts):
            inner = ("nest", by, ("cat", [("line", ""), ("vsep", ",", parts)]))
            return ("group", ("cat", [("text", "["), inner, ("line", ""), ("text", "]")]))
    return spec


def between(parts: list[Spec], separator: list[Spec]) -> Spec:
    return ("cat", [x for part in parts for x in (*separator, part)][len(separator) :])
