"""What jit-lsp says of other people's code that is right: every warning and error, and how many.

``python -m bench.precision [--python PYTHON] [--tests] [--share K/N] PACKAGE..`` takes the examples
in the docstrings of installed packages (or, with ``--tests``, their test files that pass), keeps
what runs to its end in plain Python, and runs that confined. A share of 2/5 takes the second of
every five files; ``--keep`` names a folder for the programs, to look at what they do.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from jit_lsp.diagnostics.report import one_line
from jit_lsp.session import Cancel, Limits, Request, Result, trace

SECONDS = 60.0
EXAMPLES = """
import ast, contextlib, doctest, importlib.util, inspect, io, json, os, signal, sys, warnings
from pathlib import Path

def docstrings(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and ">>>" in node.value:
            yield inspect.cleandoc(node.value)

def program(text):
    try:
        examples = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return ""
    kept = [shown(e) for e in examples if not e.exc_msg and "plt." not in e.source
            and not e.options.get(doctest.SKIP)]
    return "import numpy as np\\n" + "".join(kept)

def shown(example):
    try:
        (statement,) = ast.parse(example.source).body
    except (SyntaxError, ValueError):
        return example.source
    if not example.want or not isinstance(statement, ast.Expr):
        return example.source
    return f"print({ast.get_source_segment(example.source, statement.value)})\\n"

def runs(text):
    def late(*_):
        raise TimeoutError
    signal.signal(signal.SIGALRM, late)
    signal.alarm(5)
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(text, "example", "exec"), {"__name__": "__main__"})
        return True
    except BaseException:
        return False
    finally:
        signal.alarm(0)

found = []
package, first, step = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
root = Path(importlib.util.find_spec(package).origin).parent
for file in sorted(root.rglob("*.py"))[first - 1 :: step]:
    if "tests" in file.parts:
        continue
    texts = []
    for docstring in docstrings(ast.parse(file.read_text(encoding="utf-8"))):
        text = program(docstring)
        if text.count("\\n") > 1 and runs(text):
            texts.append(text)
    for i in range(0, len(texts), 8):
        some = texts[i : i + 8]
        whole = "".join(some)
        name = str(file.relative_to(root.parent).with_suffix("")).replace(os.sep, ".")
        parts = [whole] if runs(whole) else some
        found += [(f"{name}.{i}.{j}", part) for j, part in enumerate(parts)]
print(json.dumps(found))
"""
TESTS = """
import importlib.util, json, os, subprocess, sys, tempfile
from pathlib import Path
found = []
package, first, step = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
root = Path(importlib.util.find_spec(package).origin).parent
for file in sorted(root.rglob("tests/test_*.py"))[first - 1 :: step]:
    name = str(file.relative_to(root.parent).with_suffix("")).replace(os.sep, ".")
    found.append((name, file.read_text(encoding="utf-8")))
print(json.dumps(found))
"""
RUNNER = """
import sys
import pytest
sys.exit(pytest.main(["--assert=plain", "-q", "-x", "-p", "no:cacheprovider", {name!r}]))
"""


def main(arguments: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.precision")
    parser.add_argument("--python", default=sys.executable, help="whose packages")
    parser.add_argument("--tests", action="store_true", help="test files, not examples")
    parser.add_argument("--share", default="1/5", metavar="K/N", help="the K-th of every N files")
    parser.add_argument("--keep", metavar="FOLDER", help="where the programs stay")
    parser.add_argument("packages", nargs="*", default=["numpy"])
    options = parser.parse_args(arguments)
    totals: Counter[str] = Counter()
    lines = programs = 0
    with tempfile.TemporaryDirectory() as fleeting, ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = options.keep or fleeting
        Path(folder).mkdir(parents=True, exist_ok=True)
        texts = [text for package in options.packages for text in harvest(options, package, folder)]
        check = check_tests if options.tests else check_example
        for text, result in pool.map(lambda named: check(options.python, folder, *named), texts):
            if result is None:
                continue
            programs += 1
            lines += sum(bool(line.strip()) for line in text.splitlines())
            for finding in result.findings:
                if finding.severity.loud:
                    totals[finding.severity] += 1
                    where = Path(finding.span.path).name
                    print(f"{where}:{finding.span.line}: {finding.severity}[{finding.code}]")
                    print(f"    {one_line(finding)}")
                    source = result.sources.get(finding.span.path)
                    print(f"    | {source.line(finding.span.line).strip() if source else ''}")
    print(f"{programs} programs, {lines:,} lines")
    for severity in ("error", "warning"):
        count = totals[severity]
        print(f"{severity}s: {count}, {1000 * count / max(lines, 1):.2f} per 1,000 lines")


def harvest(options: argparse.Namespace, package: str, folder: str) -> Iterator[tuple[str, str]]:
    script = TESTS if options.tests else EXAMPLES
    command = [options.python, "-c", script, package, *options.share.split("/")]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    yield from json.loads(ran.stdout.strip().rpartition("\n")[2])


def check_example(python: str, folder: str, name: str, text: str) -> tuple[str, Result | None]:
    file = Path(folder, f"{name}.py")
    file.write_text(text, encoding="utf-8")
    if not passes([python, str(file)], folder):  # alone, without what other examples imported
        return text, None
    return text, run(python, folder, file, text)


def check_tests(python: str, folder: str, name: str, text: str) -> tuple[str, Result | None]:
    """A folder of its own for each, so that nothing but the file is taken for the project's."""
    here = Path(folder, name)
    here.mkdir(exist_ok=True)
    file = here / f"test_{name.replace('.', '_')}.py"
    file.write_text(text, encoding="utf-8")
    runner = RUNNER.format(name=str(file))
    if not passes([python, "-c", runner], str(here)):
        return text, None
    return text, run(python, str(here), here / "run.py", runner)


def passes(command: list[str], folder: str) -> bool:
    """Whether it ends well in plain Python."""
    try:
        ran = subprocess.run(command, cwd=folder, capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return False
    return ran.returncode == 0


def run(python: str, folder: str, file: Path, text: str) -> Result:
    file.write_text(text, encoding="utf-8")
    request = Request(str(file), text, python, limits=Limits(wall=SECONDS), directory=folder)
    return trace(request, Cancel())


if __name__ == "__main__":
    main(sys.argv[1:])
