"""The source of the recorders: one function for each kind, number and form of operands.

No recorder holds a loop or makes an argument tuple. A program without arrays pays for one call and
a few tests of types at each site, and for nothing else. ``Recorder`` has the namespace that this
source runs in, and says what it logs.
"""

from __future__ import annotations

from typing import Any

STORE, UPDATE = -3, -8
MAX_CHECKED = 1 << 20
"""Elements up to which an array is searched for NaNs after a part of it was updated."""

_LOG_ARRAY = """\
  base = value.base
  dtype = value.dtype
  log((site, record, r, value.shape, DTYPES.get(id(dtype)) or dtype_name(dtype), value.strides,\
 None if base is None else ref(base) if type(base) is ARRAY else foreign(base), operands))"""
_CHECK_RESULT = """\
  kind = dtype.kind
  if kind == 'f' and value.flags.c_contiguous:
   if not isfinite(vdot(value, value)): not_finite(record, site, value, operands)
  elif (kind == 'f' or kind == 'c') and not finite(value):
   not_finite(record, site, value, operands)"""
# An operator is one loop over the elements, whose floating-point status is still there to be asked:
# for large arrays that costs nothing beside reading them again.
_CHECK_OPERATOR = """\
  kind = dtype.kind
  if kind == 'f' or kind == 'c':
   if value.size > LARGE:
    if invalid(FE_INVALID): not_finite(record, site, value, operands)
   elif kind == 'f' and value.flags.c_contiguous:
    if not isfinite(vdot(value, value)): not_finite(record, site, value, operands)
   elif not finite(value): not_finite(record, site, value, operands)"""
# What a loop on integers did isn't in the status: only its operands tell whether it wrapped.
_CHECK_INTEGERS = """\
  elif kind == 'i' or kind == 'u':
   if site not in SETTLED: integers(record, site, value, {sign!r}, {a}, {b})"""
_CHECK = "if not finite(value): not_finite(record, site, value, operands)"
_TARGET = "ref(o0) if type(o0) is ARRAY or type(o0) in TENSORS else None"
_HELD = "held = TOKENS[id(record)]"
_RETURNED = "if LOG and LOG[-1][1] is not record: returned(record, site)"


def source(key: tuple[object, ...]) -> str:
    """The source of the function ``recorder`` for an instrumenter's key.

    Raises:
        ValueError: there is none of that kind.
    """
    match key:
        case ("op", "leaf", _, _):
            return _LEAF
        case ("op", str(how), bool(child), tuple(forms)):
            return _op(how, child, forms)
        case ("check", str(how)):
            return (
                "def recorder(record, site, value, operands):\n  dtype = value.dtype\n"
                + _checks(how)
            )
        case ("before",):
            return _before(None)
        case ("before", tuple(steps)):
            return _before(steps)
        case ("key",):
            return _KEY
        case ("given",):
            return _GIVEN
        case ("index",):
            return _INDEX
        case ("watch", str(what), tuple(forms)):
            return _watch(what, forms)
        case ("after", str(sign), tuple(forms)):
            return _after(sign, forms, None)
        case ("after", str(sign), tuple(forms), tuple(steps)):
            return _after(sign, forms, steps)
        case ("store" | "update" as how, int(indices), tuple(forms)):
            return _store(how, indices, forms)
    raise ValueError(f"no recorder for {key!r}")


def _parameters(forms: tuple[Any, ...]) -> str:
    return "".join(f", o{i}" for i in range(len(forms)))


def _takes_sites(forms: tuple[Any, ...]) -> bool:
    """Whether an operand is another site's result."""
    return any(path == "site" for path, _ in forms)


def _tokens(forms: tuple[Any, ...], first: int = 0) -> str:
    """The expressions of the operands' tokens: a site's latest result in the frame, or a token of
    the value just read."""
    tokens = ""
    for i, (path, starred) in list(enumerate(forms))[first:]:
        if path == "site":
            tokens += f"held.get(o{i}), "
        elif path == "loose" and not starred:
            tokens += f"described(o{i}), "
        elif path and path != "loose":
            tokens += f"passive(o{i}, {path!r}), "
        elif starred:
            tokens += f"items(o{i}), "
        else:
            tokens += f"ref(o{i}) if type(o{i}) is ARRAY else token(o{i}), "
    return tokens


def _of_interest(forms: tuple[Any, ...]) -> str:
    """Whether a call that gave None may have worked on arrays: a cheap test, before any token."""
    tests = []
    for i, (path, _) in enumerate(forms):
        if path == "site":
            tests.append(f"type(held.get(o{i})) in INTERESTING")
        elif path and path != "loose":
            tests.append(f"type(passive(o{i}, {path!r})) in INTERESTING")
        else:
            tests.append(f"type(o{i}) in LIBRARY")
    return " or ".join(tests) or "False"


_LEAF = f"""
def recorder(record, site, value):
 {_HELD}
 kind = type(value)
 if kind is ARRAY: held[site] = ref(value)
 elif kind in SCALARS or kind in PACKS or kind in LIBRARY: held[site] = token(value)
 elif kind in NUMBERS: held[site] = value
 else: held.pop(site, None)
 return value
"""


def _op(how: str, child: bool, forms: tuple[Any, ...]) -> str:
    tokens = f"({_tokens(forms)})"
    watched = how == "call:watched"
    how = "call" if watched else how
    lines = [
        f"def recorder(record, site, value{_parameters(forms)}):",
        *([f" {_HELD}"] if child or watched or _takes_sites(forms) else []),
        " kind = type(value)",
        " if kind is ARRAY:",
        f"  r = {'held[site] = ' if child else ''}ref(value)",
        f"  operands = {tokens}",
        _LOG_ARRAY,
        _checks(how),
    ]
    if child:
        lines.append(" elif kind in NUMBERS:")
        if how == "call":
            lines.append(f"  {_RETURNED}")
        lines.append("  held[site] = value")
    lines.append(f" elif kind in SCALARS: scalar(record, site, value, {child}, {tokens})")
    if how == "call":
        lines += [
            " elif kind in PACKS and holds(value):",
            f"  several(record, site, value, {child}, {tokens})",
        ]
        if forms:
            lines += [
                f" elif value is None and ({_of_interest(forms)}):",
                f"  several(record, site, value, {child}, {tokens})",
            ]
    if child or how == "call":
        lines.append(" else:")
        if how == "call":
            lines.append(f"  {_RETURNED}")
        if child:
            lines.append("  held.pop(site, None)")
    if watched:
        lines.append(f" if ~site in held: changed(record, site, {tokens})")
    lines.append(" return value")
    return "\n".join(lines)


def _checks(how: str) -> str:
    """What is looked at in an array that came out, whose type of elements is ``dtype``."""
    if how.startswith("call"):
        return _CHECK_RESULT
    if not how.startswith("operator"):  # what only selects elements makes no NaN
        return "  pass"
    if ":" not in how:
        return _CHECK_OPERATOR
    sign, a, b = how.split(":")[1:]  # its sign, and its operands: by number, or written out
    integers = _CHECK_INTEGERS.format(sign=sign, a=_operand(a), b=_operand(b))
    return f"{_CHECK_OPERATOR}\n{integers}"


def _operand(text: str) -> str:
    return f"operands[{text[1:]}]" if text.startswith("o") else text


def _before(steps: tuple[Any, ...] | None) -> str:
    """While ``a += b`` is on its way: what ``a`` holds. With ``steps``, what is held there."""
    found = "" if steps is None else f" target = {_reached('target', steps)}\n"
    return f"""
def recorder(record, site, value, target{"" if steps is None else ", keys"}):
{found} kind = type(target)
 if kind is ARRAY: TOKENS[id(record)][~site] = ref(target)
 elif kind in SCALARS: TOKENS[id(record)][~site] = token(target)
 return value
"""


def _reached(root: str, steps: tuple[Any, ...]) -> str:
    keys = "(*keys, TOKENS[id(record)].get(site))" if None in steps else "keys"
    return f"reach({root}, {steps!r}, {keys})"


_KEY = """
def recorder(record, site, value):
 if type(value) is str or type(value) is int: TOKENS[id(record)][site] = value
 else: TOKENS[id(record)].pop(site, None)
 return value
"""
_GIVEN = """
def recorder(record, site, value, target):
 if type(target) is ARRAY and type(value) is ARRAY:
  kind = target.dtype.kind
  if (kind == 'i' or kind == 'u') and value.dtype.kind == 'f' and site not in SETTLED:
   given(record, site, target, value)
 return value
"""
_INDEX = """
def recorder(record, site, value):
 if type(value) is ARRAY and site not in SETTLED:
  kind = value.dtype.kind
  if kind == 'i' or kind == 'u': index(record, site, value)
 return value
"""


def _watch(what: str, forms: tuple[Any, ...]) -> str:
    """Before a call of which nothing is known: the last argument passes by, and what else it gets
    is looked at with it; or the object passes by that a method is called on (``own``).

    ``method``: that object is the first of the forms. Where it is an array it isn't looked at: what
    those methods write is known. ``more``: it has passed by before.
    """
    if what == "own":
        return """
def recorder(record, site, value):
 if site not in SETTLED and type(value) is not ARRAY: watch(record, site, (value,), False)
 return value
"""
    given = [_value(path, f"o{i}") for i, (path, _) in enumerate(forms)]
    if what == "method":
        given[0] = f"owner({given[0]})"
    return f"""
def recorder(record, site, value{_parameters(forms)}):
 if site not in SETTLED:
  {_HELD if _takes_sites(forms) else ""}
  watch(record, site, ({", ".join(["value", *given])},), {what == "more"})
 return value
"""


def _value(path: Any, operand: str) -> str:
    """The expression of an operand's value; where it is another site's result, of its token."""
    if path == "site":
        return f"held.get({operand})"
    return f"reach({operand}, {path!r}, ())" if path and path != "loose" else operand


def _after(sign: str, forms: tuple[Any, ...], steps: tuple[Any, ...] | None) -> str:
    """After ``a += b``: in place where ``a`` is the array that it was."""
    found = "" if steps is None else f" value = {_reached('value', steps)}\n"
    sign, _, literal = sign.partition(":")
    integers = ""
    if sign:
        b = literal or "operands[1]"
        integers = "\n" + _CHECK_INTEGERS.format(sign=sign, a="operands[0]", b=b)
    tokens = f"(held.pop(~site, None), {_tokens(forms)})"
    return f"""
def recorder(record, site, value{"" if steps is None else ", keys"}{_parameters(forms)}):
 {_HELD}
{found} kind = type(value)
 if kind is ARRAY:
  r = ref(value)
  operands = {tokens}
{_LOG_ARRAY}
{_CHECK_OPERATOR}{integers}
 elif kind in SCALARS: scalar(record, site, value, False, {tokens})
"""


def _store(how: str, indices: int, forms: tuple[Any, ...]) -> str:
    """After ``x[i] = v``: written, and lost where nobody holds the array that was written.

    An update, ``x[i] += v``, may make a NaN. ``indices`` is how many operands say where.
    """
    path, starred = forms[0]
    first = {"site": "held.get(o0)", "loose": _TARGET, "": _TARGET}.get(
        path or "", f"passive(o0, {path!r})"
    )
    if starred:
        first = "None"
    head = f"""
def recorder(record, site{_parameters(forms)}):
 {_HELD if _takes_sites(forms) else ""}
 target = {first}
 if type(target) is not ref: return
 operands = (target, {_tokens(forms, 1)})
 value = target()
"""
    stored = f"log(({STORE}, record, site, target, value is None, operands))"
    if how == "store":
        if len(forms) != indices + 2:
            return f"{head} {stored}\n"
        return f"""{head} {stored}
 if type(value) is ARRAY and site not in SETTLED:
  kind = value.dtype.kind
  if kind == 'i' or kind == 'u': stored(record, site, value, operands[-1])
"""
    looks = f"if site not in SETTLED: updated(record, site, operands[1:{indices + 1}])"
    return f"""{head} if type(value) is ARRAY and value.size < {MAX_CHECKED}:
  log(({UPDATE}, record, site, target, False, operands))
  {_CHECK}
 else: {stored}
 {looks if indices else ""}
"""
