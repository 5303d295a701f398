"""What recording costs a training step of PyTorch: plain, fully recorded, with warm plain twins;
beside anomaly mode and a mode that passes all calls on, in one process. Then the peak of memory.

Each figure is the shortest of alternating runs, on one thread. Needs torch in the environment.
"""

import contextlib
import importlib.util
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

from jit_lsp.tracer import frontends
from jit_lsp.tracer.frontends import torch_layers
from jit_lsp.tracer.instrument import instrument
from jit_lsp.tracer.publish import Publisher

ROUNDS, STEPS = 5, 8
MODELS = Path(__file__).parents[1] / "tests" / "programs" / "torch_models.py"
RUN = ["-m", "jit_lsp", "run", "--findings", "/dev/null", "--interpreter", sys.executable]
NETWORKS = {
    "mlp": ("nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 5))",
            "(torch.randn(64, 64), torch.randint(5, (64,)))", "classes"),
    "resnet": ("nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(),"
               " Block(8), Block(8), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 5))",
               "(torch.randn(8, 3, 16, 16), torch.randint(5, (8,)))", "classes"),
    "lstm": ("LanguageModel(20, 32)", "(torch.randint(20, (8, 17)),)", "next_words"),
    "gpt": ("GPT(20, 32, 3)", "(torch.randint(20, (8, 17)),)", "next_words"),
    "vae": ("VAE()", "(torch.randn(64, 8),)", "elbo"),
}  # fmt: skip
PROGRAM = """
def show(name, loss):
    pass
network, batch = {network}, {batch}
optimizer = torch.optim.SGD(network.parameters(), lr=0.01)
def main(steps):
    fit("", network, [batch] * steps, {loss}, optimizer)
"""
PEAK = """
import torch
from torch import nn
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


def main() -> None:
    if importlib.util.find_spec("torch") is None:
        print("torch is not installed: nothing to measure")
        return
    print(
        f"{'training step':14} {'plain':>9} {'recorded':>9} {'twins':>6} {'anomaly':>8} {'mode':>6}"
    )
    for name, parts in NETWORKS.items():
        plain, *others = measure(source_of(*parts))
        ratios = " ".join(f"{t / plain:8.2f}" for t in others)
        print(f"{name:14} {plain * 1e3:6.2f} ms {ratios}")
    plain, traced = peak([]), peak(RUN)
    print(
        f"peak memory of 4 layers of 2000 x 2000: {plain >> 10} MB, traced {traced / plain:.3f} x"
    )


def source_of(network: str, batch: str, loss: str) -> str:
    """The models' program up to where it runs, and the training of one."""
    text = MODELS.read_text().rpartition("\nmain()")[0]
    return text + PROGRAM.format(network=network, batch=batch, loss=loss)


def measure(source: str) -> list[float]:
    import torch

    torch.set_num_threads(1)

    class Through(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):
            return function(*args, **(kwargs or {}))

    plain: dict[str, object] = {}
    exec(compile(source, "bench.py", "exec"), plain)
    run: Callable[[int], None] = plain["main"]
    none = contextlib.nullcontext
    kinds = [
        (none, lambda: run), (none, lambda: recorded_main(source, False)),
        (none, lambda: recorded_main(source, True)),
        (torch.autograd.detect_anomaly, lambda: run), (Through, lambda: run),
    ]  # fmt: skip
    shortest = [float("inf")] * len(kinds)
    for _ in range(ROUNDS):
        for i, (around, make) in enumerate(kinds):
            torch_layers.unwatch(torch.nn.Module)
            action = make()
            with warnings.catch_warnings(action="ignore"), around():
                started = time.perf_counter()
                action(STEPS)
                shortest[i] = min(shortest[i], (time.perf_counter() - started) / STEPS)
    return shortest


def recorded_main(source: str, twins: bool) -> Callable[[int], None]:
    recorder = Publisher(lambda data: None).recorder()
    recorder.frontends = [f for f in frontends.ALL if not f(recorder)]
    code = instrument(source, "bench.py", twins=twins)
    namespace: dict[str, object] = {}
    exec(code.code(lambda key: recorder.resolve(key, "bench.py")), namespace)
    namespace["main"](STEPS if not twins else 10 * STEPS)  # until twins have taken over
    recorder.flush()
    return namespace["main"]


def peak(command: list[str]) -> int:
    """The most memory, in kB, that a program took: plain, or run by a command of ours."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "peak.py")
        script.write_text(PEAK)
        measured = [sys.executable, "-c", MEASURE, sys.executable, *command, str(script)]
        ran = subprocess.run(measured, capture_output=True, text=True, check=True)
    return int(ran.stdout.split()[-1])


if __name__ == "__main__":
    main()
