"""What recording costs a training step of PyTorch: plain, fully recorded, with warm plain twins;
beside anomaly mode and a mode that passes all calls on. Then what tracers of one forward pass cost,
beside recording it. Then the peak of memory, the least of some runs.

Each figure is the shortest of alternating runs in one process, on one thread, over the shortest
plain one. Needs torch in the environment; what else isn't installed is left out.
"""

import contextlib
import importlib
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

from jit_lsp.tracer import frontends
from jit_lsp.tracer.frontends import torch_layers
from jit_lsp.tracer.instrument import instrument
from jit_lsp.tracer.publish import Publisher

ROUNDS, STEPS = 5, 8
WARM = 10
"""Times as many steps until twins have taken over."""
SLOWEST = 20.0
"""Seconds that one trace by a tool may take to be measured again."""
MODELS = Path(__file__).parents[1] / "tests" / "programs" / "torch_models.py"
EXACT = {"MALLOC_MMAP_THRESHOLD_": "65536"}
"""The allocator of the C library is to hand all large memory back at once: what it would keep, in
gaps that happen to be left, is a third of this program's peak or nothing."""
RUN = ["-m", "jit_lsp", "run", "--findings", "/dev/null", "--interpreter", sys.executable]
IMAGES = "(torch.randn(8, 3, 16, 16), torch.randint(5, (8,)))"
NETWORKS = {
    "mlp": ("nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 5))",
            "(torch.randn(64, 64), torch.randint(5, (64,)))", "classes"),
    "alexnet": ("nn.Sequential(nn.Conv2d(3, 16, 5, stride=2, padding=2), nn.ReLU(inplace=True),"
                " nn.MaxPool2d(2), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(inplace=True),"
                " nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Dropout(), nn.Linear(128, 5))",
                IMAGES, "classes"),
    "resnet": ("nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(),"
               " Block(8), Block(8), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 5))",
               IMAGES, "classes"),
    "lstm": ("LanguageModel(20, 32)", "(torch.randint(20, (8, 17)),)", "next_words"),
    "gpt": ("GPT(20, 32, 3)", "(torch.randint(20, (8, 17)),)", "next_words"),
    "vae": ("VAE()", "(torch.randn(64, 8),)", "elbo"),
    "siamese": ("nn.Sequential(nn.Linear(64, 128), nn.Tanh(), nn.Linear(128, 16))",
                "(torch.randn(64, 64), torch.randn(64, 64), torch.ones(64))", "siamese"),
}  # fmt: skip
"""Networks, their batches, and the losses that they are trained on."""
LOOPS = {"gan": "gan", "policy": "policy_gradient"}
"""Functions that train ``STEPS`` steps, all that is needed made inside."""
PROGRAM = """
def show(name, loss):
    pass
network, batch = {network}, {batch}
optimizer = torch.optim.SGD(network.parameters(), lr=0.01)
def main(steps):
    fit("", network, [batch] * steps, {loss}, optimizer)
def forward(times):
    for _ in range(times):
        network(batch[0])
"""
LOOP = """
def show(name, loss):
    pass
def main(steps):
    global STEPS
    STEPS = steps
    {function}()
"""
PEAK = """
import torch
from torch import nn
torch.set_num_threads(1)
net = nn.Sequential(nn.Linear(1000, 1000), nn.ReLU(), nn.Linear(1000, 1000))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(3):
    optimizer.zero_grad()
    loss = net(torch.ones(8000, 1000)).pow(2).mean()
    loss.backward()
    optimizer.step()
"""
MEASURE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""

Run = Callable[[int], object]


def main() -> None:
    if importlib.util.find_spec("torch") is None:
        print("torch is not installed: nothing to measure")
        return
    import torch

    torch.set_num_threads(1)
    text = MODELS.read_text().rpartition("\nmain()")[0]
    networks = {
        name: text + PROGRAM.format(network=network, batch=batch, loss=loss)
        for name, (network, batch, loss) in NETWORKS.items()
    }
    loops = {name: text + LOOP.format(function=function) for name, function in LOOPS.items()}
    titles = ("recorded", "twins", "anomaly", "mode")
    print(f"{'training step':14} {'plain':>9} {' '.join(f'{title:>9}' for title in titles)}")
    for name, source in {**networks, **loops}.items():
        show(name, of_training(source))
    tools = tracers()
    titles = ("recorded", "twins", *tools)
    print(f"\n{'forward pass':14} {'plain':>9} {' '.join(f'{title:>9}' for title in titles)}")
    for name, source in networks.items():
        show(name, of_forward(source, list(tools.values())))
    pairs = [(peak([]), peak(RUN)) for _ in range(ROUNDS)]
    plain, traced = map(min, zip(*pairs, strict=True))
    print(f"\npeak memory of a network of 2 million weights on 8000 rows: {plain >> 10} MB,"
          f" traced {traced / plain:.3f} x")  # fmt: skip


def show(name: str, seconds: Sequence[float]) -> None:
    """One row: the plain time, and the others over it."""
    plain, *others = seconds
    ratios = " ".join(f"{t / plain:9.2f}" if t < float("inf") else f"{'-':>9}" for t in others)
    print(f"{name:14} {plain * 1e3:6.2f} ms {ratios}", flush=True)


def of_training(source: str) -> list[float]:
    """Seconds of a step: plain, recorded, with twins, in anomaly mode, in a mode of functions."""
    import torch

    class Through(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):
            return function(*args, **(kwargs or {}))

    run: Run = plainly(source)["main"]
    none = contextlib.nullcontext
    return shortest([
        (none, lambda: run), (none, lambda: recorded(source, "main", False)),
        (none, lambda: recorded(source, "main", True)),
        (torch.autograd.detect_anomaly, lambda: run), (Through, lambda: run),
    ], STEPS)  # fmt: skip


def of_forward(source: str, tools: list[Callable[[object, object], object]]) -> list[float]:
    """Seconds of a forward pass: plain, recorded, with twins, and under each tool."""
    namespace = plainly(source)
    none, network, given = contextlib.nullcontext, namespace["network"], namespace["batch"][0]
    network.train()
    seconds = shortest([
        (none, lambda: namespace["forward"]), (none, lambda: recorded(source, "forward", False)),
        (none, lambda: recorded(source, "forward", True)),
    ], STEPS)  # fmt: skip
    return seconds + [of_tool(tool, network, given) for tool in tools]


def of_tool(tool: Callable[[object, object], object], network: object, given: object) -> float:
    """Seconds of the shortest of some traces; infinite where the tool can't."""
    best = float("inf")
    for _ in range(ROUNDS):
        with warnings.catch_warnings(action="ignore"):
            started = time.perf_counter()
            try:
                tool(network, given)
            except Exception as error:
                print(f"  {tool.__qualname__.partition('.')[0]}: {error!r}"[:100], file=sys.stderr)
                break
            took = time.perf_counter() - started
            best = min(best, took)
        if took > SLOWEST:
            break
    return best


def tracers() -> dict[str, Callable[[object, object], object]]:
    """Tools that follow one forward pass, as far as they are installed."""
    import torch
    from torch.fx.experimental.proxy_tensor import make_fx

    found: dict[str, Callable[[object, object], object]] = {
        "jit.trace": lambda network, x: torch.jit.trace(network, x, check_trace=False),
        "make_fx": lambda network, x: make_fx(network)(x),
    }
    if importlib.util.find_spec("torchlens") is None:
        print("torchlens is not installed: left out")
    else:
        lens = importlib.import_module("torchlens")
        found["TorchLens"] = lens.trace
    return found


def shortest(
    kinds: Sequence[tuple[Callable[[], contextlib.AbstractContextManager[object]],
                          Callable[[], Run]]],
    steps: int,
) -> list[float]:  # fmt: skip
    """The shortest time of a step, of alternating runs of each kind."""
    import torch

    best = [float("inf")] * len(kinds)
    for _ in range(ROUNDS):
        for i, (around, make) in enumerate(kinds):
            torch_layers.unwatch(torch.nn.Module)
            action = make()
            with warnings.catch_warnings(action="ignore"), around():
                started = time.perf_counter()
                action(steps)
                best[i] = min(best[i], (time.perf_counter() - started) / steps)
    return best


def plainly(source: str) -> dict:
    """The names of the program, run as it is."""
    namespace: dict = {}
    exec(compile(source, "bench.py", "exec"), namespace)
    return namespace


def recorded(source: str, function: str, twins: bool) -> Run:
    """A function of the program, recorded; with twins, once these have taken over."""
    recorder = Publisher(lambda data: None).recorder()
    recorder.frontends = [f for f in frontends.ALL if not f(recorder)]
    code = instrument(source, "bench.py", twins=twins)
    namespace: dict = {}
    exec(code.code(lambda key: recorder.resolve(key, "bench.py")), namespace)
    namespace[function](WARM * STEPS if twins else STEPS)
    recorder.flush()
    return namespace[function]


def peak(command: list[str]) -> int:
    """The most memory, in kB, that a program took: plain, or run by a command of ours."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "peak.py")
        script.write_text(PEAK)
        measured = [sys.executable, "-c", MEASURE, sys.executable, *command, str(script)]
        ran = subprocess.run(
            measured, capture_output=True, text=True, check=True, env={**os.environ, **EXACT}
        )
    return int(ran.stdout.split()[-1])


if __name__ == "__main__":
    main()
