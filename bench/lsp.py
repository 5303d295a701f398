"""The language server beside what is known to be quick: a raw loop that answers everything with the
same, a bare pygls server, and ``python`` on the file.

All of it is measured in turns, so that what else the machine does falls on both sides of a ratio.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

from tests.e2e.raw_client import SERVER, RawClient

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"
PROGRAMS = ("mlp.py", "mlp_broken.py", "heat.py")
RAW_LOOP = [sys.executable, str(HERE / "servers" / "raw_loop.py")]
BARE_PYGLS = [sys.executable, str(HERE / "servers" / "bare_pygls.py")]
ROUNDS = 7
HOVERS = 400
LINES = 25_000  # of four operations each: a graph of 100,000 nodes


def main() -> None:
    first_answer()
    hovers()
    at_rest()
    saves()


def first_answer() -> None:
    ours, raw = [], []
    for _ in range(2 * ROUNDS):
        raw.append(_first_answer(RAW_LOOP))
        ours.append(_first_answer(SERVER))
    ratio = median(ours) / median(raw)
    print(f"initialize answered after {_ms(ours)}, by a raw loop after {_ms(raw)}: {ratio:.2f}x")


def hovers() -> None:
    with tempfile.TemporaryDirectory() as folder, RawClient(command=BARE_PYGLS) as bare:
        path = Path(folder) / "long.py"
        head = "import numpy as np\nx, y = np.ones((4, 4)), np.ones((4, 4))\n"
        path.write_text(head + "".join(f"z{n} = (x + y) @ y - x * 0.5\n" for n in range(LINES)))
        with RawClient() as client:
            uri = _ready(client, path, timeout=600)
            other = _ready(bare, path)
            _save(client, uri)
            _settle(client, uri)
            chance = random.Random(0)
            ours, theirs = [], []
            for _ in range(HOVERS):
                place = chance.randrange(3, LINES), chance.choice((0, 7, 11, 16, 20))
                theirs.append(_timed(partial(bare.hover, other, *place)))
                ours.append(_timed(partial(client.hover, uri, *place)))
    p99, bare_p99 = (sorted(times)[HOVERS * 99 // 100] for times in (ours, theirs))
    print(
        f"hover in a graph of {4 * LINES:,} nodes: p50 {_ms(ours)}, p99 {1e3 * p99:.2f} ms; "
        f"bare pygls: p50 {_ms(theirs)}, p99 {1e3 * bare_p99:.2f} ms; "
        f"p99 to its p50 {p99 / median(theirs):.2f}x"
    )


def at_rest() -> None:
    with RawClient() as client:
        uri = _ready(client, EXAMPLES / "mlp.py")
        _save(client, uri)
        _settle(client, uri)
        before = _cpu(client.process.pid)
        time.sleep(2)
        used = _cpu(client.process.pid) - before
        memory = _memory(client.process.pid)
    print(f"at rest after one run: {used:.2f} s of CPU in 2 s, {memory} MB")


def saves() -> None:
    print(f"save to diagnostics: medians of {ROUNDS} rounds in ms, and ratios to python FILE")
    columns = f"{'python':>8}{'warm':>8}{'':>8}{'over run':>10}{'cold':>8}{'':>8}"
    print(f"  {'':<16}{columns}")
    for name in PROGRAMS:
        _saves_of(EXAMPLES / name)


def _saves_of(path: Path) -> None:
    plain, warm, over, cold = [], [], [], []
    with RawClient() as client:
        uri = _ready(client, path)
        _save(client, uri)
        for _ in range(ROUNDS):
            plain.append(_timed(lambda: _run_plainly(path)))
            warm.append(_timed(lambda: _save(client, uri)))
            status = client.request("jit-lsp/status", {"uri": uri})["result"]
            over.append(warm[-1] - status["seconds"])
            cold.append(_timed(lambda: _from_nothing(path)))
    base = median(plain)
    print(
        f"  {path.name:<16}{1e3 * base:8.0f}"
        f"{1e3 * median(warm):8.0f}{median(warm) / base:7.2f}x"
        f"{1e3 * median(over):10.1f}"
        f"{1e3 * median(cold):8.0f}{median(cold) / base:7.2f}x"
    )


def _first_answer(command: list[str]) -> float:
    def answer() -> None:
        with RawClient(command=command) as client:
            client.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})

    return _timed(answer)


def _ready(client: RawClient, path: Path, **settings: object) -> str:
    chosen = {"interpreter": sys.executable, **settings}
    client.initialize(initializationOptions={"jit-lsp": chosen})
    return client.open(path)


def _save(client: RawClient, uri: str) -> None:
    heard = len(client.heard)
    client.save(uri)
    client.diagnostics(uri, heard)


def _settle(client: RawClient, uri: str) -> None:
    """Wait until everything that is made of a run has been made."""
    client.request("jit-lsp/content", {"uri": uri.replace("file:", "jit-lsp:") + ".status"})
    client.hover(uri, 2, 0)


def _from_nothing(path: Path) -> None:
    with RawClient() as client:
        _save(client, _ready(client, path))


def _run_plainly(path: Path) -> None:
    subprocess.run([sys.executable, path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _timed(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def _ms(times: list[float]) -> str:
    return f"{1e3 * median(times):.2f} ms"


def _cpu(pid: int) -> float:
    """Seconds of user and system time; see proc(5)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory(pid: int) -> int:
    """What is resident, in MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) // 1000


if __name__ == "__main__":
    main()
