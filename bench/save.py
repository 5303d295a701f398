"""A save in an editor beside ``python script.py``: what an edit costs, by where it is.

The program works for three seconds, then defines, prints and computes a little. Each line is the
median of several saves, each with an edit of its own, and the ratio to the plain program in the
same run.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from jit_lsp.session import Cancel, Request
from jit_lsp.warm import Policy, Warm

ROUNDS = 15
NUMPY = """\
import numpy as np
import time


def report(a, b):
    return a / b + EDIT_F


rng = np.random.default_rng(0)
x = rng.normal(size=(300, 300))
s = 0.0
began = time.perf_counter()
while time.perf_counter() - began < 3.0:
    s += float((x @ x).sum())
EDIT_M = 1
w = x[:64] @ np.ones(300)
print(report(w.sum(), 2.0))
print("end", EDIT_T)
"""
TORCH = NUMPY.replace("import time", "import time\nimport torch").replace(
    "EDIT_M = 1", "t = torch.ones(64, 300) @ torch.ones(300)\nEDIT_M = 1"
)
MAIN = """\
import numpy as np
import time


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 300))
    began = time.perf_counter()
    while time.perf_counter() - began < 3.0:
        x @ x
    w = x[:64] @ np.ones(300)
    print(w.sum() + EDIT_F)
    print("end", EDIT_T)


if __name__ == "__main__":
    main()
"""
SHORT = "import numpy as np\n" + "".join(
    f"x{i} = np.arange({2000 * (i + 1)}) * {i}.5\n" for i in range(60)
)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "script.py"
        programs = {"numpy": NUMPY, "main()": MAIN}
        if find_spec("torch") is not None:
            programs["torch"] = TORCH
        for name, text in programs.items():
            measure(name, path, text)
        cold(path)
        short(path)


def measure(name: str, path: Path, text: str) -> None:
    plain = timed(lambda: python(path, edited(text)))
    warm = Warm()
    first = timed(lambda: save(warm, path, edited(text)))
    print(f"{name:8} python script.py {1e3 * plain:8.0f} ms; first save {first / plain:6.2f} x")
    for what, texts in (
        ("last line", (edited(text, t=n) for n in range(1, ROUNDS))),
        ("function", (edited(text, f=n, t=99) for n in range(1, ROUNDS))),
        ("undo", (edited(text, f=ROUNDS - 2 + n % 2, t=99) for n in range(ROUNDS))),
    ):
        took = median(timed(lambda t=t: save(warm, path, t)) for t in texts)
        print(f"{name:8} {what:12} {1e3 * took:10.1f} ms  {plain / took:8.0f} x faster")
    warm.close()


def cold(path: Path) -> None:
    """The first save of a program that does next to nothing."""
    text = "import numpy as np\nprint(np.ones(3).sum())\n"
    plain, first = [], []
    for n in range(ROUNDS):
        plain.append(timed(lambda: python(path, text)))
        warm = Warm()
        first.append(timed(lambda w=warm, n=n: save(w, path, text + f"# {n}\n")))
        warm.close()
    one, other = median(plain), median(first)
    print(
        f"cold     {1e3 * other:.0f} ms, python script.py {1e3 * one:.0f} ms: {other / one:.2f} x"
    )


def short(path: Path) -> None:
    """What it adds to a run of short statements that it is parked meanwhile."""
    took: dict[bool, list[float]] = {False: [], True: []}
    warm = {False: Warm(Policy(interval=1e9)), True: Warm()}
    for n in range(2 * ROUNDS):
        for parked, times in took.items():
            text = f"import numpy as np\ny = {n}\n" + SHORT
            times.append(timed(lambda p=parked, t=text: save(warm[p], path, t)))
    for one in warm.values():
        one.close()
    ratio = median(took[True]) / median(took[False])
    print(f"60 short statements, parked where that is due: {ratio:.3f} x the run without")


def edited(text: str, f: int = 0, t: int = 0) -> str:
    return text.replace("EDIT_F", str(f)).replace("EDIT_T", str(t))


def python(path: Path, text: str) -> None:
    path.write_text(text)
    subprocess.run([sys.executable, str(path)], stdout=subprocess.DEVNULL, check=True)


def save(warm: Warm, path: Path, text: str) -> None:
    path.write_text(text)
    request = Request(str(path), text, sys.executable, directory=str(path.parent))
    result = warm.trace(request, Cancel())
    assert result.trace.outcome.status == "finished", result.trace.outcome


def timed(action) -> float:
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
