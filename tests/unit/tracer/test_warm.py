"""Runs at a save begin where an earlier one was left, and come to the same as from scratch."""

import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from random_programs import edits

from jit_lsp.ir import print_module
from jit_lsp.session import Cancel, Cancelled, Limits, Request, trace
from jit_lsp.tracer.lift import lift
from jit_lsp.warm import Policy, Warm

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="pods are for Linux")
EVERYWHERE = Policy(interval=0.0, not_worth=0.0)


class Editor:
    """Saves texts of one file."""

    def __init__(self, folder, without=()):
        self.path = folder / "program.py"
        self.warm = Warm(EVERYWHERE)
        self.without = without

    def request(self, text):
        text = textwrap.dedent(text)
        self.path.write_text(text)
        return Request(
            str(self.path), text, sys.executable, limits=Limits(wall=20.0),
            directory=str(self.path.parent), shown=self.path.name, without=self.without,
        )  # fmt: skip

    def save(self, text):
        result = self.warm.trace(self.request(text), Cancel())
        self.status = result.trace.began
        return result

    def same_as_from_scratch(self, text):
        request = self.request(text)
        warm, cold = shown(self.warm.trace(request, Cancel())), shown(trace(request, Cancel()))
        if warm["outcome"].status == "raised":  # nobody waits for the traceback
            both = min(len(warm["output"]), len(cold["output"]))
            warm["output"], cold["output"] = warm["output"][:both], cold["output"][:both]
        assert warm == cold


@pytest.fixture
def editor(tmp_path):
    made = Editor(tmp_path)
    yield made
    made.warm.close()


@pytest.fixture
def confined_otherwise(tmp_path):
    """Where there are no namespaces: runs write to a scratch folder alone."""
    made = Editor(tmp_path, without=("namespaces",))
    yield made
    made.warm.close()


def shown(result):
    """All that a user sees of a run."""
    recorded = result.trace
    return {
        "output": recorded.output,
        "outcome": recorded.outcome,
        "findings": result.findings,
        "graph": print_module(lift(recorded).module),
        "sources": {path: source.text for path, source in recorded.sources.items()},
    }


@pytest.mark.parametrize("main", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_any_edit_comes_to_the_same_as_a_run_from_scratch(editor, seed, main):
    for text in edits(random.Random(seed), 4, main):
        editor.same_as_from_scratch(text)


@pytest.mark.parametrize("seed", range(2))
def test_so_it_does_without_namespaces(confined_otherwise, seed):
    for text in edits(random.Random(seed), 3):
        confined_otherwise.same_as_from_scratch(text)


def test_so_it_does_without_pods(tmp_path):
    others = set(below(os.getpid()))  # that other tests share
    editor = Editor(tmp_path)
    editor.warm = Warm(Policy(pods=False))
    for text in edits(random.Random(0), 2):
        editor.same_as_from_scratch(text)
    before = set(below(os.getpid())) - others
    editor.warm.close()
    assert before and not set(below(os.getpid())) - others


ONCE = "import time\nprint(time.perf_counter_ns())\n"
"""What shows whether it was run again."""


@pytest.mark.parametrize(
    "before, after",
    [
        (ONCE + "x = 1\nprint(x)\n", ONCE + "x = 1\nprint(x + 1)\n"),
        (ONCE + "x = 1\nprint(x)\n", "# moved\n\n" + ONCE + "x = (1)\nprint(x)\n"),
        (
            "def f():\n    return 1\n" + ONCE + "print(f())\n",
            "def f():\n    return 2\n" + ONCE + "print(f())\n",
        ),
        (
            "def f():\n    return 1\ndef g():\n    return f()\n" + ONCE + "print(g())\n",
            "def g():\n    return f() + 1\ndef f():\n    return 2\n" + ONCE + "print(g())\n",
        ),
        (
            f"def main():\n{textwrap.indent(ONCE, '    ')}    y = 1\n    print(y)\nmain()\n",
            f"def main():\n{textwrap.indent(ONCE, '    ')}    y = 1\n    print(-y)\nmain()\n",
        ),
        (
            f"# %% first\n{ONCE}\n# %% [markdown]\n# Text.\n\n# %%\nx = 1\nprint(x)\n",
            f"# %% first\n{ONCE}\n# %% [markdown]\n# More text.\n\n# %%\nx = 1\nprint(-x)\n",
        ),
    ],
    ids=["tail", "moved", "definition", "definitions", "main", "cells"],
)
def test_what_came_before_a_change_is_not_run_again(editor, before, after):
    first = editor.save(before).trace.output.split()
    second = editor.save(after).trace.output.split()
    assert first[0] == second[0], editor.status
    assert second[1:] == editor_from_scratch(editor, after)[1:]


@pytest.mark.parametrize(
    "before, after",
    [
        (ONCE + "x = 1\nprint(x)\n", "import os\n" + ONCE + "x = 1\nprint(x)\n"),
        (
            "def f():\n    return 1\nf()\n" + ONCE + "print(1)\n",
            "def f():\n    return 2\nf()\n" + ONCE + "print(1)\n",
        ),
        (
            "def f():\n    return 1\nglobals()['f']()\n" + ONCE + "print(1)\n",
            "def f():\n    return 2\nglobals()['f']()\n" + ONCE + "print(1)\n",
        ),
        (
            "def f(x=[].append(1)):\n    return 1\n" + ONCE + "print(1)\n",
            "def f(x=[].append(2)):\n    return 1\n" + ONCE + "print(1)\n",
        ),
    ],
    ids=["before", "definition in use", "reached otherwise", "definition that does something"],
)
def test_what_depends_on_a_change_is_run_again(editor, before, after):
    first = editor.save(before).trace.output.split()
    assert first[0] != editor.save(after).trace.output.split()[0]


@pytest.mark.parametrize(
    "text, printed",
    [
        ("print('a\\nb')\nx = 1\nfor i in 1, 2:\n    print(i)\n",
         [(1, "a\nb\n"), (3, "1\n2\n")]),
        ("def main():\n    print('a', end='')\n    x = 1\n    print('b')\nmain()\nprint('c')\n",
         [(5, "a"), (4, "b\n"), (6, "c\n")]),
        ("import os\nos.write(1, b'a')\nprint('b')\nos.close(1)\n", [(2, "a"), (3, "b\n")]),
        ("import sys\ndel sys.stdout\nprint('a')\n", None),
        ("import sys\nprint('a')\nprint('b', file=sys.stderr)\n", [(2, "a\n"), (3, "b\n")]),
    ],
    ids=["statements", "main", "descriptors", "no-stream", "streams"],
)  # fmt: skip
def test_what_was_printed_has_its_line(editor, text, printed):
    for more in ("", "# again\n", "y = 2\n"):
        trace = editor.save(text + more).trace
        if printed is not None:
            assert [*trace.printed] == printed
        assert "".join(piece for _, piece in trace.printed) == trace.output


def test_an_undone_change_runs_nothing(editor):
    first, _, third = (editor.save(ONCE + f"x = {n}\nprint(x)\n") for n in (1, 2, 1))
    assert shown(first) == shown(third)
    assert "nothing had to be run" in editor.status[0]


def editor_from_scratch(editor, text):
    return trace(editor.request(text), Cancel()).trace.output.split()


READS = "import json, time\ndata = {read}\nprint(data, time.perf_counter_ns())\nprint({n})\n"


@pytest.mark.parametrize(
    "file, read",
    [
        ("data.json", "json.load(open('data.json'))"),
        ("own.py", "__import__('own').data"),
        ("new/x.txt", "__import__('os').path.exists('new')"),
        ("new/x.txt", "sorted(__import__('os').listdir('new')) if __import__('os').path"
         ".isdir('new') else 0"),
    ],
    ids=["data", "module", "not there", "folder"],
)  # fmt: skip
def test_what_was_read_is_read_again_when_it_changes(editor, file, read):
    path = editor.path.parent / file
    made = {"data.json": "1", "own.py": "data = 1\n"}.get(file)
    if made is not None:
        path.write_text(made)
        time.sleep(0.05)  # what changes while it may be read is not relied on
    outputs = [editor.save(READS.format(read=read, n=n)).trace.output.split() for n in (1, 2)]
    assert outputs[0][:2] == outputs[1][:2], editor.status
    time.sleep(0.05)
    path.parent.mkdir(exist_ok=True)
    path.write_text({"own.py": "data = 2\n"}.get(file, "2"))
    again = editor.save(READS.format(read=read, n=3)).trace.output.split()
    assert again[0] != outputs[0][0], editor.status


def test_the_environment_belongs_to_a_run(editor, monkeypatch):
    text = "import os\nprint(os.environ.get('JIT_LSP_TEST'))\nprint({n})\n"
    assert editor.save(text.format(n=1)).trace.output == "None\n1\n"
    monkeypatch.setenv("JIT_LSP_TEST", "set")
    assert editor.save(text.format(n=2)).trace.output == "set\n2\n"


def test_code_that_moved_is_found_where_it_stands_now(editor):
    text = """\
    import numpy as np
    def f(x):
        return x @ np.ones(3)
    a = np.ones((2, 3))
    print(f(a))
    print({last})
    """
    editor.save(text.format(last="1"))
    result = editor.save("# one\n# two\n" + textwrap.dedent(text).format(last="f(a.T)"))
    assert "went on" in editor.status[0]
    (finding,) = result.findings
    assert (finding.code, finding.span.line) == ("shape-mismatch", 5)
    assert 'program.py", line 5, in f' in result.trace.output


def test_files_are_as_they_were_when_a_run_was_left(editor):
    text = """\
    import os
    open("before.txt", "w").write("1")
    print(sorted(os.listdir()))
    open("after.txt", "x").write("{n}")
    print(sorted(os.listdir()), open("before.txt").read())
    """
    for n in range(3):
        output = editor.save(text.format(n=n)).trace.output
        assert output == (
            "['before.txt', 'program.py']\n['after.txt', 'before.txt', 'program.py'] 1\n"
        )
    assert "went on" in editor.status[0]
    assert [path.name for path in editor.path.parent.iterdir()] == ["program.py"]


def test_a_file_goes_on_to_be_read_where_it_was_left(editor):
    (editor.path.parent / "data.txt").write_text("0123456789" * 5000)
    text = "file = open('data.txt')\nhead = file.read(3)\nprint(head, file.read(4), {n})\n"
    for n in range(3):
        assert editor.save(text.format(n=n)).trace.output == f"012 3456 {n}\n"
    assert "went on" in editor.status[0]


@pytest.mark.parametrize(
    "start, stop, said",
    [
        ("import threading\nhold = threading.Event()\n"
         "thread = threading.Thread(target=hold.wait)\nthread.start()", "hold.set()",
         "1 thread is running"),
        ("import subprocess\nchild = subprocess.Popen(['sleep', '9'])", "child.kill()",
         "a child process is running"),
        ("file = open('out.txt', 'w')", "file.close()", "the file out.txt is open for writing"),
        ("import socket\npair = socket.socketpair()", "0", "a socket is open"),
        ("import mmap\nshared = mmap.mmap(-1, 4096)", "shared.close()", "memory is shared"),
        ("import signal\nsignal.setitimer(signal.ITIMER_REAL, 9)",
         "signal.setitimer(signal.ITIMER_REAL, 0)", "a timer is running"),
    ],
    ids=["thread", "child", "file", "socket", "memory", "timer"],
)  # fmt: skip
def test_what_a_fork_would_break_is_told(editor, start, stop, said):
    text = f"x = 1\n{start}\ny = 2\n{stop}\nprint('{{n}}')\n"
    assert editor.save(text.format(n=1)).trace.output == "1\n"
    line = next(line for line in editor.status if "could not be left" in line)
    assert said in line and "before line" in line
    assert editor.save(text.format(n=2)).trace.output == "2\n"


@pytest.mark.parametrize(
    "text",
    [
        "import atexit\natexit.register(print, 'end')",
        "import weakref\nclass A: pass\na = A()\nweakref.finalize(a, print, 'end')",
        "import logging.handlers, sys\nout = logging.StreamHandler(sys.stdout)\n"
        "logging.getLogger().addHandler(logging.handlers.MemoryHandler(9, target=out))\n"
        "logging.warning('end')",
        "class A:\n    def __del__(self):\n        print('end')\na = A()",
        "import threading\nthreading.Timer(0.1, print, ['end']).start()",
        "import sys\nsys.stdout.write('end\\n')\nsys.exit('bye')",
        "import sys\nsys.excepthook = lambda *a: print('end')\n1 / 0",
    ],
)
def test_a_program_ends_as_ever(editor, text):
    assert "end\n" in editor.save(text + "\n").trace.output
    warm = editor.save(text + "\n# 1\n")
    assert "end\n" in warm.trace.output
    assert warm.trace.outcome.status == trace(warm.request, Cancel()).trace.outcome.status


def test_runs_from_the_beginning_do_not_share_chance(editor):
    text = (
        "import random\nimport numpy as np\nx{n} = random.random(), np.random.rand()\nprint(x{n})\n"
    )
    outputs = [editor.save(f"y = {n}\n" + text.format(n=n)).trace.output for n in range(2)]
    assert outputs[0] != outputs[1]


def test_runs_leave_no_descriptor_and_no_thread(editor):
    text = "x = 1\nprint({n})\n"
    for n in range(3):
        editor.save(text.format(n=n))
    before = len(list(Path("/proc/self/fd").iterdir())), threading.active_count()
    for n in range(20):
        editor.save(text.format(n=n))
    assert (len(list(Path("/proc/self/fd").iterdir())), threading.active_count()) == before


@pytest.mark.parametrize(
    "attack",
    [
        "for pid in range(2, 60):\n    try: os.kill(pid, 9) if pid != os.getpid() else 0\n"
        "    except OSError: pass",
        "os.closerange(3, 200)",
        "os.kill(os.getpid(), signal.SIGSTOP)",
        "os._exit(3)",
        "os.kill(os.getpid(), signal.SIGSEGV)",
        "[os.write(fd, b'p1') for fd in range(3, 40) if os.path.exists(f'/proc/self/fd/{fd}')]",
        "if os.fork() == 0:\n    os.setsid()\n    while True: pass",
        "import ctypes; ctypes.CDLL(None).alarm(1); os.waitpid = os.fork = os.read = None",
    ],
)
def test_what_a_program_does_to_its_pod_hurts_itself_alone(editor, attack):
    text = "import os, signal\nprint('began')\n{attack}\n"
    editor.save(text.format(attack="print(1)"))
    request = editor.request(text.format(attack=attack))
    editor.warm.trace(
        Request(request.path, request.text, request.interpreter, limits=Limits(wall=1.0),
                directory=request.directory), Cancel()
    )  # fmt: skip
    assert editor.save(text.format(attack="print(2)")).trace.output == "began\n2\n"


def test_a_run_that_is_given_up_at_once_does_not_end_the_next(editor):
    for n in range(12):
        cancel = Cancel()
        threading.Timer(0.002 * n, cancel.cancel).start()
        with suppress(Cancelled):
            editor.warm.trace(editor.request(f"import time\ntime.sleep(0.05)\n# {n}\n"), cancel)
        assert editor.save(f"x = {n}\nprint(x)\n").trace.output == f"{n}\n"


SERVER = """
import sys, time
from jit_lsp.session import Cancel, Request
from jit_lsp.warm import Policy, Warm
warm = Warm(Policy(0.0, 0.0))
warm.trace(Request(sys.argv[1], "x = 1\\ny = 2\\n", sys.executable), Cancel())
print("ready", flush=True)
time.sleep(60)
"""


def test_a_killed_server_leaves_nothing_behind(tmp_path):
    path = tmp_path / f"killed-{os.getpid()}.py"
    path.write_text("x = 1\ny = 2\n")
    with subprocess.Popen(
        [sys.executable, "-c", SERVER, str(path)], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout.readline() == "ready\n"
        left = below(server.pid)
        assert len(left) >= 4
        server.send_signal(signal.SIGKILL)
    for _ in range(500):
        if not any(Path(f"/proc/{pid}").exists() for pid in left):
            return
        time.sleep(0.02)
    raise AssertionError("something is left")


def below(pid):
    """The processes below one."""
    found = []
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        found += [int(child), *below(int(child))]
    return found
