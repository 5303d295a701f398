"""``jit-lsp check FILE`` beside ``python FILE``, and what the tracer adds inside one process.

Each line is one run of this program: the shortest of several alternating runs, so that noise of the
machine hits both alike.
"""

import contextlib
import io
import subprocess
import sys
import time
from pathlib import Path

from jit_lsp.session import Cancel, Request, trace
from jit_lsp.tracer import frontends
from jit_lsp.tracer.instrument import instrument
from jit_lsp.tracer.publish import Publisher

EXAMPLES = Path(__file__).parents[1] / "examples"
NAMES = ("mlp", "kmeans", "pca_images", "kalman", "heat", "mlp_broken")
ROUNDS = 5


def main() -> None:
    command = [str(Path(sys.executable).with_name("jit-lsp")), "check"]
    start = best(lambda: run([sys.executable, "-c", "pass"]))
    print(f"the interpreter's start: {start * 1000:.0f} ms; ratios are to python FILE")
    print(f"{'program':12} {'plain':>8} {'command':>8} {'run':>6} {'in process':>11}")
    for name in NAMES:
        path = EXAMPLES / f"{name}.py"
        plain, whole, session = alternate(
            lambda path=path: run([sys.executable, str(path)]),
            lambda path=path: run([*command, "--interpreter", sys.executable, str(path)]),
            lambda path=path: traced(path),
        )
        inside = "" if name.endswith("broken") else f"{in_process(path):11.2f}"
        print(
            f"{name:12} {plain * 1000:5.0f} ms {whole / plain:8.2f} {session / plain:6.2f} {inside}"
        )
    print("command: the whole of jit-lsp check; run: inside a running server")
    print("in process: the recorded program beside the plain one, imports and start left out")


def run(command: list[str]) -> None:
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def traced(path: Path) -> None:
    trace(Request(str(path), path.read_text(encoding="utf-8"), sys.executable), Cancel())


def in_process(path: Path) -> float:
    source = path.read_text(encoding="utf-8")
    plain = compile(source, str(path), "exec")

    def recorded() -> None:
        recorder = Publisher(lambda data: None).recorder()
        recorder.frontends = [f for f in frontends.ALL if not f(recorder)]
        code = instrument(source, str(path)).code(lambda key: recorder.resolve(key, str(path)))
        execute(code)
        recorder.flush()

    one, other = alternate(lambda: execute(plain), recorded)
    return other / one


def execute(code: object) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        exec(code, {"__name__": "__main__"})


def best(action) -> float:
    return alternate(action)[0]


def alternate(*actions) -> list[float]:
    """The shortest time of each action, in seconds, over rounds in which each runs once."""
    shortest = [float("inf")] * len(actions)
    for _ in range(ROUNDS):
        for i, action in enumerate(actions):
            started = time.perf_counter()
            action()
            shortest[i] = min(shortest[i], time.perf_counter() - started)
    return shortest


if __name__ == "__main__":
    main()
