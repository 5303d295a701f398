"""The rules, one file each. A new one is a module here and a folder ``tests/cases/<its name>``.

A rule's name is its file's with hyphens. Its docstring is its page: a first line that completes
'allow ...', then the sections that ``SECTIONS`` lists; the example and what to use instead are run
by the tests. It has a ``SEVERITY`` and at least one of

    check(trace) -> Iterator[Finding]            what it sees in the events
    explain(trace, failure) -> Finding | None    its account of what ended the program

A rule that projects may tune has ``OPTIONS``, their names and defaults, a section of its page for
them, and a ``check(trace, options)``.
"""

from __future__ import annotations

import importlib
import logging
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType, ModuleType

from ...tracer.trace import Failure, Trace
from ..confirmed import confirmed
from ..model import Finding, Severity

_log = logging.getLogger(__name__)

SECTIONS = (
    "What it does", "Why it is bad", "Example", "Use instead", "When to ignore", "References",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, as its module declares it."""

    name: str
    severity: Severity
    page: str
    check: Callable[..., Iterable[Finding]] | None
    explain: Callable[[Trace, Failure], Finding | None] | None
    last: bool
    """Whether its account of a failure is the one for want of a better."""
    options: Mapping[str, object]
    """What a project may set, and the defaults: a number, or a tuple of texts."""

    @property
    def title(self) -> str:
        """The first line of the page."""
        return self.page.partition("\n")[0].rstrip(".")


@cache
def all_rules() -> Mapping[str, Rule]:
    """Every rule by its name, found by walking this package."""
    modules = (m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
    rules = [_rule(importlib.import_module(f".{name}", __name__)) for name in sorted(modules)]
    return {rule.name: rule for rule in rules}


def judge(
    trace: Trace, options: Mapping[str, Mapping[str, object]] = MappingProxyType({})
) -> tuple[Finding, ...]:
    """All findings of a run in the order of the text; one for each cause.

    ``options`` has what is set for rules, by their names.
    """
    found: list[Finding] = []
    rules = sorted(all_rules().values(), key=lambda r: r.last)
    if trace.failure is not None:
        explanations = (_explanation(rule, trace, trace.failure) for rule in rules)
        first = next((e for e in explanations if e is not None), None)
        found += [first] if first is not None else []
    for rule in rules:
        checked = _checked(rule, trace, options.get(rule.name, {}))
        found += [finding for finding in checked if not confirmed(trace, finding)]
    return tuple(sorted(_once(found), key=lambda f: (f.span, f.severity, f.code)))


def _explanation(rule: Rule, trace: Trace, failure: Failure) -> Finding | None:
    """A rule's account of a failure. One that fails itself has none, and takes no other along."""
    try:
        return rule.explain(trace, failure) if rule.explain is not None else None
    except Exception:
        _log.exception("the rule %s failed", rule.name)
        return None


def _checked(rule: Rule, trace: Trace, options: Mapping[str, object]) -> Iterable[Finding]:
    """What a rule finds; nothing where it fails itself."""
    given = ({**rule.options, **options},) if rule.options else ()
    try:
        return list(rule.check(trace, *given)) if rule.check is not None else ()
    except Exception:
        _log.exception("the rule %s failed", rule.name)
        return ()


def _once(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The first finding of each code at each place."""
    seen = set()
    for finding in findings:
        key = (finding.code, finding.span)
        if key not in seen:
            seen.add(key)
            yield finding


def _rule(module: ModuleType) -> Rule:
    return Rule(
        name=module.__name__.rpartition(".")[2].replace("_", "-"),
        severity=module.SEVERITY,
        page=(module.__doc__ or "").strip() + "\n",
        check=getattr(module, "check", None),
        explain=getattr(module, "explain", None),
        last=getattr(module, "LAST", False),
        options=getattr(module, "OPTIONS", {}),
    )
