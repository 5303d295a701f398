"""What a client may set, under ``jit-lsp`` in its configuration or its initialization options.

>>> settings, problems = read_settings({"traceOn": "command", "timeout": -1})
>>> settings.trace_on.value, settings.timeout
('command', None)
>>> problems
['jit-lsp.timeout: -1 is no number of seconds between 0 and a day; the default is used']
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from .project import RULES, TraceOn

SECTION = "jit-lsp"


@dataclass(frozen=True, slots=True)
class Settings:
    """``timeout`` is in seconds. None: as the project says, else what is looked for, or 10 s.

    ``trace_on`` None: on save where programs can be confined. ``pictures`` are those in hovers;
    None: as the client's capabilities say.
    """

    interpreter: str | None = None
    args: tuple[str, ...] = ()
    timeout: float | None = None
    trace_on: TraceOn | None = None
    select: frozenset[str] | None = None
    ignore: frozenset[str] = frozenset()
    inlay_hints: bool = True
    code_lens: bool = True
    pictures: bool | None = None

    def wants(self, rule: str) -> bool:
        """Whether findings of ``rule`` are shown."""
        return rule not in self.ignore and (self.select is None or rule in self.select)


DEFAULTS = Settings()


def section(configuration: object) -> dict[str, object]:
    """What ``configuration`` holds for us; it comes from the client and may be anything."""
    found = configuration.get(SECTION) if isinstance(configuration, Mapping) else None
    return dict(found) if isinstance(found, Mapping) else {}


def read_settings(raw: Mapping[str, object]) -> tuple[Settings, list[str]]:
    """The settings in ``raw``, and a sentence for each that can't be used.

    Absent, null and empty mean the default. Other names are left to others, such as an extension.
    """
    chosen: dict[str, Any] = {}
    problems = []
    for name, field, usable, make, complaint in _SETTINGS:
        value = raw.get(name)
        if value is None or value == "":
            continue
        if usable(value):
            chosen[field] = make(value)
        else:
            problems.append(f"{SECTION}.{name}: {value!r} is {complaint}; the default is used")
    return replace(DEFAULTS, **chosen), problems


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_rules(value: object) -> bool:
    return isinstance(value, list) and all(_is_text(rule) and rule in RULES for rule in value)


def _is_seconds(value: object) -> bool:
    return isinstance(value, int | float) and value is not True and 0 < value <= _LONGEST_RUN


def _is_switch(value: object) -> bool:
    return isinstance(value, bool)


def _is_occasion(value: object) -> bool:
    return isinstance(value, str) and value in {*TraceOn}


_LONGEST_RUN = 24 * 3600

_SETTINGS: tuple[tuple[str, str, Callable[[object], bool], Callable[[Any], object], str], ...] = (
    ("interpreter", "interpreter", _is_text, str, "no path"),
    ("args", "args", _is_texts, tuple, "no list of texts"),
    ("select", "select", _is_rules, frozenset, "no list of rules"),
    ("ignore", "ignore", _is_rules, frozenset, "no list of rules"),
    ("timeout", "timeout", _is_seconds, float, "no number of seconds between 0 and a day"),
    ("inlayHints", "inlay_hints", _is_switch, bool, "neither true nor false"),
    ("codeLens", "code_lens", _is_switch, bool, "neither true nor false"),
    ("pictures", "pictures", _is_switch, bool, "neither true nor false"),
    ("traceOn", "trace_on", _is_occasion, TraceOn, "none of " + ", ".join(TraceOn)),
)
