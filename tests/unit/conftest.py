"""What unit tests share: running a small program as the product does."""

import sys
import textwrap

import pytest
from hypothesis import settings

from jit_lsp.session import Cancel, Limits, Request, trace

settings.register_profile("untimed", deadline=None)  # a slow machine is no failure
settings.load_profile("untimed")


@pytest.fixture
def traced(tmp_path):
    """Run a program's text confined, in this interpreter; gives the session's result."""

    def run(text, *, wall=20.0, name="program.py", **options):
        path = tmp_path / name
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        request = Request(
            str(path), path.read_text(encoding="utf-8"), sys.executable,
            limits=Limits(wall=wall), directory=str(tmp_path), **options,
        )  # fmt: skip
        return trace(request, Cancel())

    return run
