"""What jit-lsp says of other people's code that is right: every warning and error, and how many.

``python -m bench.precision [--python PYTHON] [--tests] [--share K/N] PACKAGE..`` takes the examples
in the docstrings of installed packages (or, with ``--tests``, their test files), and runs them
confined. What doesn't end well is run in plain Python too: it counts only if it passes there. A
share of 2/5 takes the second of every five files; ``--keep`` names a folder for the programs, to
look at what they do. A program is cut after so many seconds of processor time, and what was seen
until then counts.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from jit_lsp.batch import side_by_side
from jit_lsp.diagnostics.model import Finding
from jit_lsp.diagnostics.report import one_line
from jit_lsp.session import Cancel, Limits, Request, Result
from jit_lsp.shared import Shared

LIMITS = Limits(wall=60.0, cpu=25.0)
PLAIN = 60.0
ENDED = frozenset({"timeout", "crash"})
"""What is said of a program that was cut."""
EXAMPLES = """
import ast, contextlib, doctest, inspect, io, json, os, signal, sys, warnings
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

def programs(file):
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
        yield from ((f"{name}.{i}.{j}", part) for j, part in enumerate(parts))

def apart(file):  # what one example does to the process isn't the next file's to meet
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            with os.fdopen(writing, "w") as pipe:
                json.dump(list(programs(file)), pipe)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        found = pipe.read()
    os.waitpid(child, 0)
    return json.loads(found or "[]")

package, first, step = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
root = Path(__import__(package).__file__).parent
files = [file for file in sorted(root.rglob("*.py")) if "tests" not in file.parts]
print(json.dumps([found for file in files[first - 1 :: step] for found in apart(file)]))
"""
TESTS = """
import importlib.util, json, os, sys
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
import {package}
OPTIONS = ["--assert=plain", "-q", "-p", "no:cacheprovider", "-p", "{package}.conftest"]
sys.exit(pytest.main([*OPTIONS, {file!r}, *sys.argv[1:]]))
"""


@dataclass(frozen=True)
class Program:
    """A file to run; ``text`` is the code that is counted, which the file may only lead to."""

    file: str
    text: str

    @property
    def lines(self) -> int:
        return sum(bool(line.strip()) for line in self.text.splitlines())


def main(arguments: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.precision")
    parser.add_argument("--python", default=sys.executable, help="whose packages")
    parser.add_argument("--tests", action="store_true", help="test files, not examples")
    parser.add_argument("--share", default="1/5", metavar="K/N", help="the K-th of every N files")
    parser.add_argument("--keep", metavar="FOLDER", help="where the programs stay")
    parser.add_argument("--jobs", type=int, help="programs at a time")
    parser.add_argument("packages", nargs="*", default=["numpy"])
    options = parser.parse_args(arguments)
    totals: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as fleeting:
        folder = Path(options.keep or fleeting).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        programs = [one for name in options.packages for one in harvest(options, name, folder)]
        by_file = {program.file: program for program in programs}
        shared = Shared()

        def check(file: str, cancel: Cancel) -> None:
            totals.update(checked(by_file[file], options.python, shared, cancel))

        try:
            side_by_side(list(by_file), check, options.jobs)
        finally:
            shared.close()
    print(f"{totals['programs']} programs, {totals['lines']:,} lines")
    print(f"{totals['cut']} of them cut, {totals['refused']} more don't pass in plain Python")
    for severity in ("error", "warning"):
        count = totals[severity]
        print(f"{severity}s: {count}, {1000 * count / max(totals['lines'], 1):.2f} per 1,000 lines")


def harvest(options: argparse.Namespace, package: str, folder: Path) -> Iterator[Program]:
    """The programs that a package gives, written into the folder."""
    script = TESTS if options.tests else EXAMPLES
    command = [options.python, "-c", script, package, *options.share.split("/")]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    for name, text in json.loads(ran.stdout.strip().rpartition("\n")[2]):
        file = folder / f"{name}.py"
        if options.tests:
            test = folder / f"test_{name.replace('.', '_')}.py"
            test.write_text(text, encoding="utf-8")
            file = folder / f"run_{test.name}"
            file.write_text(RUNNER.format(package=package, file=str(test)), encoding="utf-8")
        else:
            file.write_text(text, encoding="utf-8")
        yield Program(str(file), text)


def checked(program: Program, python: str, shared: Shared, cancel: Cancel) -> Counter[str]:
    """What the program adds to the totals; its findings are printed."""
    file = Path(program.file)
    text = file.read_text(encoding="utf-8")
    result = shared.trace(
        Request(program.file, text, python, limits=LIMITS, directory=str(file.parent)), cancel
    )
    cut = any(finding.code in ENDED for finding in result.findings)
    passed = cut or ended_well(result)
    if not passed and not passes([python, program.file, "-x"], str(file.parent)):
        return Counter(refused=1)
    loud = [f for f in result.findings if f.severity.loud and f.code not in ENDED]
    says = [] if passed else [f"{file.name}: passes in plain Python, not here"]
    says += [line for finding in loud for line in shown(finding, result)]
    much = f"{result.seconds:.1f} s, {len(result.trace.events):,} events"
    heading = f"{file.name}: {much}{', cut' if cut else ''}"
    print(heading, *says, sep="\n  ", flush=True)
    found = Counter(str(finding.severity) for finding in loud)
    return found + Counter(programs=1, lines=program.lines, cut=int(cut))


def ended_well(result: Result) -> bool:
    outcome = result.trace.outcome
    return outcome.status == "finished" or (outcome.status == "exit" and not outcome.code)


def shown(finding: Finding, result: Result) -> Iterator[str]:
    where = finding.span
    source = result.sources.get(where.path)
    yield f"{Path(where.path).name}:{where.line}: {finding.severity}[{finding.code}]"
    yield f"  {one_line(finding)}"
    yield f"  | {source.line(where.line).strip() if source else ''}"


def passes(command: list[str], folder: str) -> bool:
    """Whether it ends well in plain Python."""
    try:
        ran = subprocess.run(command, cwd=folder, capture_output=True, timeout=PLAIN)
    except subprocess.TimeoutExpired:
        return False
    return ran.returncode == 0


if __name__ == "__main__":
    main(sys.argv[1:])
