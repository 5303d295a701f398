"""Runs end in time, whatever the program does, and leave no process behind."""

import os
import sys
import threading
import time
from pathlib import Path

import pytest

from jit_lsp.session import Cancel, Cancelled, Limits, Request, trace


def alive(marker):
    """Processes whose command line or environment has ``marker``."""
    found = []
    for entry in (p for p in Path("/proc").iterdir() if p.name.isdigit()):
        try:
            text = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
        except OSError:
            continue
        if marker.encode() in text and int(entry.name) != os.getpid():
            found.append(int(entry.name))
    return found


def outcome(result):
    return result.trace.outcome.status, [(f.code, f.span.line) for f in result.findings]


BAD = {
    "raises at line 1": ("1 / 0\n", "raised", [("script-error", 1)]),
    "sys.exit": ("import sys\n\nsys.exit(3)\n", "exit", [("script-error", 3)]),
    "sys.exit with a text": ("import sys\nsys.exit('no')\n", "exit", [("script-error", 2)]),
    "sys.exit(0)": ("import sys\nsys.exit(0)\n", "exit", []),
    "os._exit": ("import os\nx = 1\nos._exit(0)\n", "left", [("script-error", 3)]),
    "closes stdout": ("import sys\nsys.stdout.close()\n", "finished", []),
    "closes everything": (
        "import os\nos.closerange(0, 500)\nx = 1\n",
        "left",
        [("script-error", 1)],
    ),
    "prints too much": ("x = 1\nprint('x' * 5_000_000)\n", "finished", [("script-error", 2)]),
    "recurses": ("def f():\n    return f()\nf()\n", "raised", [("script-error", 2)]),
    "segfaults": ("import ctypes\nctypes.string_at(0)\n", "killed", [("crash", 2)]),
    "aborts": ("import os\nx = 1\nos.abort()\n", "killed", [("crash", 3)]),
    "kills itself": ("import os\nos.kill(os.getpid(), 9)\n", "killed", [("crash", 1)]),
    "no memory": ("x = [0] * 10**12\n", "raised", [("memory-limit", 1)]),
    "syntax error": ("x = 1\ny = (\n", "syntax", [("script-error", 2)]),
    "indentation": ("if 1:\nx = 1\n", "syntax", [("script-error", 2)]),
    "NUL": ("x = 1\ny\0 = 2\n", "syntax", [("script-error", 2)]),
    "empty": ("", "finished", []),
    "only a comment": ("# nothing\n", "finished", []),
    "no newline at the end": ("x = 1 / 0", "raised", [("script-error", 1)]),
    "CRLF": ("x = 1\r\ny = x / 0\r\n", "raised", [("script-error", 2)]),
    "deep nesting": ("x = " + "(" * 150 + "1" + ")" * 150 + "\n", "finished", []),
    "imports what isn't there": ("import no_such_module\n", "raised", [("script-error", 1)]),
}


@pytest.mark.parametrize("name", BAD)
def test_each_bad_program_has_one_finding_at_its_place(traced, name):
    text, status, findings = BAD[name]
    result = traced(text)
    assert outcome(result) == (status, findings)


@pytest.mark.parametrize(
    "text",
    [
        "while True:\n    pass\n",
        "import time\ntime.sleep(100)\n",
        "import signal\nfor n in range(1, 65):\n    try: signal.signal(n, signal.SIG_IGN)\n"
        "    except (OSError, ValueError): pass\nwhile True:\n    pass\n",
        "import numpy as np\nx = np.ones((9, 9))\nwhile True:\n    x = x @ x * 0\n",
        "def f():\n    while True:\n        try:\n            f()\n        except BaseException:\n"
        "            pass\nf()\n",
    ],
)
def test_an_endless_program_is_stopped_in_time(traced, text):
    started = time.monotonic()
    result = traced(text, wall=0.6)
    assert result.trace.outcome.status == "timeout"
    assert [f.code for f in result.findings] == ["timeout"]
    assert time.monotonic() - started < 8  # seconds; only a hang is meant to fail here


def test_what_was_seen_before_the_end_is_kept(traced):
    result = traced(
        """
        import numpy as np
        x = np.ones(3)
        y = x * 2
        while True:
            pass
        """,
        wall=0.8,
    )
    assert [f.span.line for f in result.findings if f.code == "timeout"] in ([5], [6])
    assert [result.trace.text(e.site.span) for e in result.trace.events] == ["np.ones(3)", "x * 2"]


def test_a_c_call_that_never_returns_is_located(traced):
    result = traced("import time\nx = 1\ntime.sleep(50)\n", wall=0.5)
    assert [(f.code, f.span.line) for f in result.findings] == [("timeout", 3)]


def test_a_clean_up_that_never_ends_is_told_from_a_program_that_does_not(traced):
    result = traced(
        """
        import threading
        import time
        threading.Thread(target=time.sleep, args=(60,)).start()
        """,
        wall=1.0,
    )
    (finding,) = result.findings
    assert finding.code == "script-error"
    assert finding.headline == (
        "the script ran to its end, but not its clean-up: stopped after 1 s"
    )


def test_children_and_orphans_are_ended(tmp_path):
    marker = f"jit-lsp-test-{os.getpid()}-{time.monotonic_ns()}"
    path = tmp_path / f"{marker}.py"
    path.write_text(
        f"""
import os, subprocess, sys, time
os.environ["MARKER"] = "{marker}"
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)", "{marker}"])
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(300)", "{marker}"])
    os._exit(0)
time.sleep(0.3)
"""
    )
    request = Request(str(path), path.read_text(), sys.executable)
    assert trace(request, Cancel()).trace.outcome.status == "finished"
    assert alive(marker) == []


def test_cancel_ends_a_run_at_once(tmp_path):
    path = tmp_path / f"cancelled-{os.getpid()}.py"
    path.write_text("while True:\n    pass\n")
    cancel = Cancel()
    threading.Timer(0.4, cancel.cancel).start()
    started = time.monotonic()
    with pytest.raises(Cancelled):
        trace(Request(str(path), path.read_text(), sys.executable, limits=Limits(wall=60)), cancel)
    assert time.monotonic() - started < 20
    assert alive(path.name) == []


def test_no_descriptor_is_lost(traced):
    traced("x = 1\n")
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        traced("x = 1\n")
        traced("while True: pass\n", wall=0.2)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_an_interpreter_that_is_none(tmp_path):
    path = tmp_path / "program.py"
    path.write_text("x = 1\n")
    for interpreter in ("/no/such/python", str(path), "/bin/true"):
        result = trace(Request(str(path), "x = 1\n", interpreter), Cancel())
        assert result.trace.outcome.status == "unavailable"
        assert [f.code for f in result.findings] == ["script-error"]


def test_a_program_that_writes_into_its_own_recording(traced):
    result = traced(
        """
        import os
        for fd in range(3, 40):
            try:
                os.write(fd, b"\\xff" * 100)
            except OSError:
                pass
        """
    )
    assert result.trace.outcome.status in ("protocol", "left", "killed")
    assert [f.code for f in result.findings] == ["script-error"]
