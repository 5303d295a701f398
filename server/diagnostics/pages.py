"""The rules' pages as files: what ``docs/rules`` holds and ``jit-lsp explain`` prints.

``python -m jit_lsp.diagnostics.pages FOLDER`` writes them, and removes what is there beside them.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from .rules import Rule, all_rules

INDEX = "README.md"
_ABOUT = """\
# The rules

Each page has what a rule does, why it matters, a program that it speaks up on and one that it
doesn't, and when to ignore it. `jit-lsp explain RULE` prints it. How to choose among rules, and
change their severity, is in [configuration.md](../configuration.md).

| rule | severity | what it is about |
| --- | --- | --- |
"""


def page(rule: Rule) -> str:
    """The page of one rule, in Markdown."""
    return f"# {rule.name}\n\n{rule.page}"


def files() -> Mapping[str, str]:
    """All pages by the name of their file, and an index of them."""
    rows = (
        f"| [{rule.name}]({rule.name}.md) | {rule.severity} | {rule.title} |\n"
        for rule in all_rules().values()
    )
    pages = {f"{rule.name}.md": page(rule) for rule in all_rules().values()}
    return {INDEX: _ABOUT + "".join(rows), **pages}


def main(folder: str) -> None:
    """Write them all into ``folder``."""
    target, texts = Path(folder), files()
    target.mkdir(parents=True, exist_ok=True)
    for old in target.glob("*.md"):
        if old.name not in texts:
            old.unlink()
    for name, text in texts.items():
        (target / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
