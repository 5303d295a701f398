"""The code of the program's functions as it would be if nothing recorded it."""

from __future__ import annotations

import types

from ..recorder import Recorder


class PlainCodes:
    """Compiles each file that is recorded once more, when the first of its functions is asked
    for."""

    def __init__(self, recorder: Recorder) -> None:
        self._programs = recorder.programs
        self._known: dict[str, dict[tuple[object, ...], list[types.CodeType]]] = {}

    def of(self, code: types.CodeType) -> types.CodeType | None:
        """The plain code of the same function; None where it isn't the program's, or there are
        several like it."""
        path = code.co_filename
        if path not in self._programs:
            return None
        known = self._known.get(path)
        if known is None:
            known = self._known[path] = {}
            whole = compile(self._programs[path].source, path, "exec", dont_inherit=True)
            for inner in _inner(whole):
                known.setdefault(_place(inner), []).append(inner)
        found = known.get(_place(code), [])
        fits = len(found) == 1 and found[0].co_freevars == code.co_freevars
        return found[0] if fits else None

    def or_own(self, code: types.CodeType) -> types.CodeType:
        """The plain code, or the code itself where there is none."""
        return self.of(code) or code


def _inner(code: types.CodeType) -> list[types.CodeType]:
    """The codes inside, at any depth."""
    own = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return [*own, *(c for inner in own for c in _inner(inner))]


def _place(code: types.CodeType) -> tuple[object, ...]:
    return code.co_qualname, code.co_firstlineno
