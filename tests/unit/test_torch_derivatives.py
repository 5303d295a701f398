"""``jit-lsp trace --grad --execute`` of PyTorch's networks: losses and gradients are PyTorch's."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from with_torch import need_torch

need_torch()
import torch  # noqa: E402

BEGIN = """\
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(3)


"""
END = """


net = Net()
loss(net, x, y)
"""
PROGRAMS = {
    "mlp": """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(5, 8), nn.GELU(), nn.LayerNorm(8), nn.Linear(8, 3))

    def forward(self, x):
        h = x.clone()
        h += 1
        return self.body(h)


def loss(net, x, y):
    return F.cross_entropy(net(x), y)


x, y = torch.randn(6, 5), torch.randint(0, 3, (6,))
""",
    "images": """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 4, 3, padding=1)
        self.norm = nn.BatchNorm2d(4)
        self.pool = nn.MaxPool2d(2)
        self.head = nn.Linear(4, 3)

    def forward(self, x):
        h = self.pool(torch.relu(self.norm(self.conv(x))))
        return self.head(h.mean(dim=(2, 3)))


def loss(net, x, y):
    return F.cross_entropy(net(x), y)


x, y = torch.randn(3, 2, 6, 6), torch.randint(0, 3, (3,))
""",
    "sequences": """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(7, 4)
        self.lstm = nn.LSTM(4, 5, batch_first=True, bidirectional=True)
        self.head = nn.Linear(10, 3)

    def forward(self, x):
        states, _ = self.lstm(self.table(x))
        return self.head(states[:, -1])


def loss(net, x, y):
    return F.nll_loss(net(x).log_softmax(-1), y)


x, y = torch.randint(0, 7, (2, 4)), torch.randint(0, 3, (2,))
""",
    "attention": """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(8, 24)
        self.proj = nn.Linear(8, 8)

    def forward(self, x):
        batch, time, width = x.shape
        parts = self.qkv(x).view(batch, time, 3, 2, width // 2).permute(2, 0, 3, 1, 4)
        q, k, v = parts.unbind(0)
        scores = q @ k.transpose(-2, -1) / 2.0
        mask = torch.ones(time, time, dtype=torch.bool).tril()
        weights = scores.masked_fill(~mask, float("-inf")).softmax(-1)
        return x + self.proj((weights @ v).transpose(1, 2).reshape(batch, time, width))


def loss(net, x, y):
    return F.mse_loss(net(x), y)


x, y = torch.randn(2, 3, 8), torch.randn(2, 3, 8)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_are_those_of_autograd(name: str, tmp_path: Path) -> None:
    program, out = tmp_path / f"{name}.py", tmp_path / "out.npz"
    program.write_text(BEGIN + PROGRAMS[name] + END)
    space = runpy.run_path(str(program))
    net, x, y = (space[each] for each in ("net", "x", "y"))
    parameters = dict(net.named_parameters())
    arrays = {key: each.detach().numpy() for key, each in parameters.items()}
    np.savez(tmp_path / "in.npz", x=x.numpy(), y=y.numpy(), **arrays)
    wanted = torch.autograd.grad(space["loss"](net, x, y), list(parameters.values()))
    command = [sys.executable, "-m", "jit_lsp.cli", "trace", "--interpreter", sys.executable]
    command += ["--timeout", "60", "--grad", "loss", "--wrt", ",".join(parameters), "--execute"]
    command += ["--inputs", str(tmp_path / "in.npz"), "-o", str(out), str(program)]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    with np.load(out) as found:
        for key, gradient in zip(parameters, wanted, strict=True):
            ours = found[f"{key}.grad"]
            assert ours.dtype == gradient.numpy().dtype
            np.testing.assert_allclose(ours, gradient.numpy(), rtol=1e-3, atol=2e-6)


HANDLES = """\
import torch


def smooth(a, b):  # jit: opaque
    return torch.lgamma(a) * b


x, w = torch.rand(4, requires_grad=True), torch.rand(4, requires_grad=True)
y = torch.digamma(x * 2 + 1)
u = smooth(y * y + 1, w)
v = torch.nn.functional.hardswish(torch.lgamma(u))
unused = torch.lgamma(x) + smooth(x, w)
loss = v.sum()
"""


def traced(program: Path, *options: str) -> tuple[int, str, str]:
    command = [sys.executable, "-m", "jit_lsp.cli", "trace", "--interpreter", sys.executable]
    command += ["--timeout", "60", *options, str(program)]
    ran = subprocess.run(command, capture_output=True, text=True)
    return ran.returncode, ran.stdout, ran.stderr


def test_what_no_rule_knows_is_left_to_what_autograd_kept(tmp_path: Path) -> None:
    program = tmp_path / "handles.py"
    program.write_text(HANDLES)
    status, text, said = traced(program, "--grad", "loss", "--wrt", "x,w")
    assert (status, said) == (0, "")
    kept = re.findall(r"ir.save\[by=autograd.(\w+)\]", text)
    names = ["DigammaBackward0", "MulBackward0", "LgammaBackward0", "HardswishBackward0"]
    assert kept == names, "in the order of the program, and none of what isn't used"
    assert text.count("ir.eval[") == 4
    assert "ir.eval[places=(0, 1)]" in text, "of both arguments of the opaque call"
    _, text, _ = traced(program, "--grad", "loss", "--wrt", "x,w", "-O2")
    _, _, backward = text.partition("--- stage 1 ---")
    assert re.search(r"= *\n? *ir.opaque\(.*handle<autograd.HardswishBackward0>", backward)
    np.savez(tmp_path / "in.npz", y=np.ones(4, "f4"), u=np.ones(4, "f4"), v=np.ones(4, "f4"))
    status, _, said = traced(
        program, "--grad", "loss", "--wrt", "u", "--execute", "--inputs", str(tmp_path / "in.npz")
    )
    assert status == 1
    assert "handles.py:" in said
