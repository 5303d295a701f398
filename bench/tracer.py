"""What recording costs: programs plain, fully recorded, and with warm plain twins, in one process;
and what other tools that follow a program cost, as far as they are installed.

Each figure is the shortest of alternating runs.
"""

import argparse
import functools
import importlib
import importlib.util
import inspect
import io
import statistics
import tempfile
import time
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from jit_lsp.tracer import frontends
from jit_lsp.tracer.instrument import instrument
from jit_lsp.tracer.publish import Publisher
from jit_lsp.tracer.recorder import Entry, Recorder

ROUNDS = 7

CHAIN = """
import numpy as np
def chain(x, w):
{body}
    return x
def main():
    x, w = np.ones(({n}, {n})), np.full(({n}, {n}), 0.5)
    for _ in range({repeat}):
        chain(x, w)
"""
STEPS = """    x = x + w
    x = x * 0.5
    x = np.maximum(x - w, 0.1)
"""

LOOP = """
import numpy as np
def main():
    x, w = np.ones(8), np.full(8, 0.5)
    for i in range(100_000):
        x = x * 0.5
        x = x + w
        x = x - w
        x = x * 2.0
"""

OPERATORS = (
    """
def chain(x, w):
"""
    + "    x = x + w\n    x = x * 0.5\n    x = x - w\n    x = x * 2.0\n" * 500
    + """
    return x
"""
)

NBODY = """
def main():
    bodies = [[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 39.47],
              [4.84, -1.16, -0.10, 0.6, 2.8, -0.02, 0.037],
              [8.34, 4.12, -0.4, -1.01, 1.82, 0.008, 0.011],
              [12.89, -15.11, -0.22, 1.08, 0.86, -0.01, 0.0017],
              [15.37, -25.9, 0.179, 0.97, 0.59, -0.034, 0.002]]
    for _ in range(4000):
        for i in range(5):
            a = bodies[i]
            for j in range(i + 1, 5):
                b = bodies[j]
                dx, dy, dz = a[0] - b[0], a[1] - b[1], a[2] - b[2]
                m = 0.01 * (dx * dx + dy * dy + dz * dz) ** -1.5
                a[3] -= dx * b[6] * m
                a[4] -= dy * b[6] * m
                a[5] -= dz * b[6] * m
                b[3] += dx * a[6] * m
                b[4] += dy * a[6] * m
                b[5] += dz * a[6] * m
        for b in bodies:
            b[0] += 0.01 * b[3]
            b[1] += 0.01 * b[4]
            b[2] += 0.01 * b[5]
"""

FANNKUCH = """
def main(n=8):
    perm1, count = list(range(n)), [0] * n
    flips, r = 0, n
    while True:
        while r != 1:
            count[r - 1] = r
            r -= 1
        if perm1[0]:
            perm, k = perm1[:], 0
            while perm[0]:
                q = perm[0]
                perm[: q + 1] = perm[q::-1]
                k += 1
            flips = max(flips, k)
        while True:
            if r == n:
                return flips
            first = perm1[0]
            perm1[:r] = perm1[1 : r + 1]
            perm1[r] = first
            count[r] -= 1
            if count[r] > 0:
                break
            r += 1
"""

CLASSES = """
class Account:
    def __init__(self, owner, balance=0):
        self.owner, self.balance, self.log = owner, balance, []
    def deposit(self, amount):
        self.balance += amount
        self.log.append((self.owner, amount))
        return self
    def fee(self, rate):
        return self.balance * rate + len(self.log)
class Savings(Account):
    def deposit(self, amount):
        super().deposit(amount * 1.01)
        return self
def main():
    total = 0
    for i in range(8000):
        a, b = Account(i), Savings(i, i)
        a.deposit(10).deposit(i)
        b.deposit(5)
        total += a.fee(0.1) + b.fee(0.2)
    return total
"""

FIB = """
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
def main():
    fib(22)
"""


EVENTS = """
import numpy as np
def main(n):
    x = np.ones(8)
    for i in range(n // 3):  # its own event, and two
        y = x * 0.5
        x = y + 0.25
"""


def chain(n: int, repeat: int) -> str:
    return CHAIN.format(body=STEPS * (2000 // 4), n=n, repeat=repeat)


def main() -> None:
    print(f"{'program':34} {'plain':>9} {'recorded':>9} {'with twins':>11}")
    programs = {
        "2000 chained operators, 8 x 8": chain(8, 1),
        "2000 chained operators, 64 x 64": chain(64, 1),
        "2000 chained operators, 512 x 512": chain(512, 1),
        "the same function 100 times, 8 x 8": chain(8, 100),
        "100,000 iterations of 4 operators": LOOP,
        "n-body, no arrays": NBODY,
        "fannkuch, no arrays": FANNKUCH,
        "classes, no arrays": CLASSES,
        "recursive Fibonacci, no arrays": FIB,
    }
    for name, source in programs.items():
        plain, recorded, twins = measure(source)
        print(f"{name:34} {plain * 1e3:6.1f} ms {recorded / plain:9.2f} {twins / plain:11.2f}")
    for name, plain_chain, traced in others():
        print(f"2000 chained operators, 8 x 8, in {name:18} {compare(plain_chain, traced):9.0f}")
    for module in (argparse, statistics):
        source = inspect.getsource(module)
        each = instrumenting(source) / source.count("\n")
        print(f"instrumenting {module.__name__}: {each * 1e6:.0f} ms for 1,000 lines")
    (few, each), (many, _) = logging(100_000), logging(1_000_000)
    print(
        f"a million events: {many / few:.2f} times as long for each as for a hundred thousand; "
        f"{each:.0f} bytes each until they are sent"
    )


def others() -> Iterator[tuple[str, Callable[[], object], Callable[[], object]]]:
    """Tools that follow a chain of 2000 operators on 8 x 8 arrays of their libraries: each with the
    chain plain, and with it in the tool."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:  # one of them reads the source
        file.write(OPERATORS)
        file.flush()
        space: dict[str, Any] = {"__name__": "chain"}
        exec(compile(OPERATORS, file.name, "exec"), space)
        chain = space["chain"]
        if (snoop := installed("snoop")) is not None:
            x, w = np.ones((8, 8)), np.full((8, 8), 0.5)
            snooped = snoop.Config(out=io.StringIO()).snoop(chain)
            yield "snoop", lambda: chain(x, w), lambda: snooped(x, w)
    if (torch := installed("torch")) is not None:
        given = torch.ones(8, 8), torch.full((8, 8), 0.5)
        plain = functools.partial(chain, *given)
        jit = functools.partial(torch.jit.trace, check_trace=False)
        yield "torch.jit.trace", plain, lambda: jit(chain, given)
        make_fx = importlib.import_module("torch.fx.experimental.proxy_tensor").make_fx
        yield "make_fx", plain, lambda: make_fx(chain)(*given)
        if (lens := installed("torchlens")) is not None:
            network = type("Chain", (torch.nn.Module,), {"forward": lambda _, x, w: chain(x, w)})()
            yield "TorchLens", plain, lambda: lens.trace(network, given)
    if (jax := installed("jax")) is not None:
        two = jax.numpy.ones((8, 8)), jax.numpy.full((8, 8), 0.5)

        def anew() -> object:  # it remembers functions
            return jax.make_jaxpr(lambda x, w: chain(x, w))(*two)

        yield "jax.make_jaxpr", lambda: chain(*two), anew


def installed(name: str) -> Any:
    """The module, if there is one."""
    if importlib.util.find_spec(name) is None:
        print(f"{name} is not installed: left out")
        return None
    return importlib.import_module(name)


def compare(plain: Callable[[], object], traced: Callable[[], object]) -> float:
    """How many times as long the chain takes in a tool."""
    shortest = [float("inf")] * 2
    for _ in range(3):
        for i, action in enumerate((plain, traced)):
            with warnings.catch_warnings(action="ignore"):
                started = time.perf_counter()
                action()
            shortest[i] = min(shortest[i], time.perf_counter() - started)
    return shortest[1] / shortest[0]


def measure(source: str) -> list[float]:
    plain: dict[str, object] = {}
    exec(compile(source, "bench.py", "exec"), plain)
    plain["main"]()
    fresh = [lambda: plain["main"]]
    for twins in (False, True):
        fresh.append(lambda twins=twins: recorded_main(source, twins))
    shortest = [float("inf")] * 3
    for _ in range(ROUNDS):
        for i, make in enumerate(fresh):
            action = make()
            started = time.perf_counter()
            action()
            shortest[i] = min(shortest[i], time.perf_counter() - started)
    return shortest


def recorded_main(source: str, twins: bool) -> Callable[[], object]:
    recorder = Publisher(lambda data: None).recorder()
    recorder.frontends = [f for f in frontends.ALL if not f(recorder)]
    code = instrument(source, "bench.py", twins=twins)
    namespace: dict[str, object] = {}
    exec(code.code(lambda key: recorder.resolve(key, "bench.py")), namespace)
    namespace["main"]()  # the plain program is warm too: its bytecode is specialised by now
    recorder.flush()
    return namespace["main"]


def logging(count: int) -> tuple[float, float]:
    """Seconds and bytes for each of ``count`` events; the bytes of those that wait to be sent."""
    recorder = Publisher(lambda data: None).recorder()
    recorder.frontends = [f for f in frontends.ALL if not f(recorder)]
    held: list[float] = []
    send = recorder.hand_over

    def weigh(log: list[Entry]) -> None:
        if tracemalloc.is_tracing():
            held.append((tracemalloc.get_traced_memory()[0] - before) / len(log))
            tracemalloc.stop()
        send(log)

    recorder.hand_over = weigh
    code = instrument(EVENTS, "bench.py", twins=False)
    namespace: dict[str, object] = {}
    exec(code.code(lambda key: recorder.resolve(key, "bench.py")), namespace)
    namespace["main"](1000)
    recorder.flush()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    namespace["main"](60_000)
    recorder.flush()
    started = time.perf_counter()
    namespace["main"](count)
    recorder.flush()
    return (time.perf_counter() - started) / count, held[0]


def instrumenting(source: str) -> float:
    shortest = float("inf")
    recorder = Recorder(lambda log: None)
    for _ in range(3):
        started = time.perf_counter()
        instrument(source, "bench.py").code(lambda key: recorder.resolve(key, "bench.py"))
        shortest = min(shortest, time.perf_counter() - started)
    return shortest


if __name__ == "__main__":
    main()
