"""One test module in one interpreter, plain or recorded; runs there, on the standard library only.

``python suite.py MODE TRACER OUTPUT MODULE`` writes ``{test: outcome}`` as JSON. ``MODE`` is plain,
recorded (no twins) or twins; ``TRACER`` the folder of the tracer. A module of CPython's is run by
unittest, one of NumPy's by pytest.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import io
import json
import sys
import unittest
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any


def main(mode: str, tracer: str, output: str, module: str) -> None:
    """Run the tests of ``module``."""
    sys.setrecursionlimit(sys.getrecursionlimit() + 20)  # ours, so that both modes have the same
    recorded: list[str] = [module] if mode == "plain" else []
    if mode != "plain":
        record(module, load(tracer), recorded, twins=mode == "twins")
    outcomes: dict[str, str] = {}
    run = with_pytest if module.startswith("numpy.") else with_unittest
    try:
        run(module, outcomes)
    except BaseException as error:
        outcomes[module] = f"not run: {error!r}"[:300]
    if not recorded:
        outcomes[module] = "not recorded"
    Path(output).write_text(json.dumps(outcomes), encoding="utf-8")


def load(tracer: str) -> ModuleType:
    """The worker, as ``boot`` loads it."""
    spec = importlib.util.spec_from_file_location("boot", tracer + "/boot.py")
    assert spec is not None
    assert spec.loader is not None
    boot = importlib.util.module_from_spec(spec)
    sys.path.insert(0, "")  # it takes the first away
    spec.loader.exec_module(boot)
    (worker,) = boot._load("worker")
    found: ModuleType = worker
    return found


def record(module: str, worker: Any, recorded: list[str], *, twins: bool) -> None:
    """Have ``module``, and no other, recorded when it is imported; then it is in ``recorded``.

    Pytest knows a file by its last name alone where its folder is no package.
    """
    names = module, module.rpartition(".")[2]
    recorder = worker.Publisher(lambda frame: None).recorder()
    recorder.frontends = list(worker.frontends.ALL)

    class Loader(importlib.machinery.SourceFileLoader):
        def get_code(self, fullname: str) -> Any:
            path = self.get_filename(fullname)
            source = importlib.util.decode_source(self.get_data(path))
            rewritten = worker.instrument(source, path, twins=twins)
            recorded.append(path)
            return rewritten.code(lambda key: recorder.resolve(key, path))

    class Finder(importlib.abc.MetaPathFinder):
        def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
            if name not in names:
                return None
            spec = importlib.machinery.PathFinder.find_spec(name, path, target)
            if spec is not None and spec.origin is not None:
                spec.loader = Loader(name, spec.origin)
            return spec

    sys.meta_path.insert(0, Finder())


def with_unittest(module: str, outcomes: dict[str, str]) -> None:
    """As ``python -m unittest`` runs them."""

    class Noted(unittest.TextTestResult):
        def addSuccess(self, test: Any) -> None:
            digest = getattr(test, "digest", "")
            outcomes[test.id()] = f"ok {digest}" if digest else "ok"

        def addError(self, test: Any, err: Any) -> None:
            outcomes[test.id()] = f"error: {err[1]!r}"

        def addFailure(self, test: Any, err: Any) -> None:
            outcomes[test.id()] = f"failure: {err[1]!r}"

        def addSkip(self, test: Any, reason: str) -> None:
            outcomes[test.id()] = "skipped"

        def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:
            if err is not None:
                outcomes[subtest.id()] = f"failure: {err[1]!r}"

    tests = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(module))
    with warnings.catch_warnings():
        unittest.TextTestRunner(stream=io.StringIO(), resultclass=Noted).run(tests)


def with_pytest(module: str, outcomes: dict[str, str]) -> None:
    """As ``pytest --pyargs`` runs them; its own rewriting of assertions is off."""
    import pytest

    class Noted:
        def pytest_runtest_logreport(self, report: Any) -> None:
            if report.when == "call" or report.outcome != "passed":
                text = "" if report.passed or report.skipped else f": {report.longreprtext[-300:]}"
                test = report.nodeid.partition("::")[2]
                outcomes[f"{module}.{test}"] = report.outcome + text

    options = ["-q", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:asyncio"]
    if importlib.util.find_spec("hypothesis"):
        options.append("--hypothesis-seed=0")
    with warnings.catch_warnings():
        pytest.main([*options, "--pyargs", module], plugins=[Noted()])


if __name__ == "__main__":
    main(*sys.argv[1:])
