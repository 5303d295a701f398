"""Calls of PyTorch's code that isn't recorded, made again; their derivatives are autograd's."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jit_lsp.cli import main

torch = pytest.importorskip("torch")

MODEL = """\
import torch
from torch import nn

def attend(q, k, v, *, scale):  # jit: opaque
    return torch.softmax(q @ k.T * scale, dim=-1) @ v, q.sum()

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Linear(4, 8)
        self.two = nn.Linear(8, 4)

    def forward(self, x):
        h = torch.relu(self.one(x))
        mixed, total = attend(h, h, torch.special.i0(h), scale=0.5)
        return self.two(mixed) + total

torch.manual_seed(3)
net, x = Net().double(), torch.randn(5, 4, dtype=torch.float64)
out = net(x)
loss = out.square().mean()
"""


def executed(text: str, folder: Path, *options: str, **inputs: Any) -> dict[str, Any]:
    path, given, out = folder / "program.py", folder / "in.npz", folder / "out.npz"
    path.write_text(text)
    asked = ["--execute", "--interpreter", sys.executable, "-o", str(out), *options]
    if inputs:
        np.savez(given, **inputs)
        asked += ["--inputs", str(given)]
    assert main(["trace", *asked, str(path)]) == 0
    return dict(np.load(out))


def run_here(text: str) -> dict[str, Any]:
    space: dict[str, Any] = {}
    exec(text, space)
    return space


def close(found: Any, tensor: Any, tolerance: float = 1e-9) -> None:
    wanted = tensor.detach().numpy()
    assert found.dtype == wanted.dtype
    assert np.allclose(found, wanted, rtol=tolerance, atol=tolerance)


def parameters(space: dict[str, Any]) -> dict[str, Any]:
    return {n: p.detach().numpy() for n, p in space["net"].named_parameters()}


def test_a_model_with_an_opaque_function_gives_what_it_gave(tmp_path: Path) -> None:
    space = run_here(MODEL)
    given = {"x": space["x"].numpy(), **parameters(space)}
    found = executed(MODEL, tmp_path, "--timeout", "60", **given)
    close(found["out"], space["out"])
    close(found["loss"], space["loss"])


def test_gradients_are_those_of_torch(tmp_path: Path) -> None:
    space = run_here(MODEL)
    given = {"x": space["x"].numpy() * 0.5, **parameters(space)}
    asked = ["--timeout", "60", "--grad", "loss", "--wrt", "x,one.weight,two.bias"]
    found = executed(MODEL, tmp_path, *asked, **given)
    x = (space["x"] * 0.5).requires_grad_()
    loss = space["net"](x).square().mean()
    net = space["net"]
    wanted = torch.autograd.grad(loss, [x, net.one.weight, net.two.bias])
    close(found["loss"], loss)
    for name, gradient in zip(("x", "one.weight", "two.bias"), wanted, strict=True):
        close(found[f"{name}.grad"], gradient)


def test_second_derivatives_are_those_of_torch(tmp_path: Path) -> None:
    text = """\
import torch
def bent(a, b, power):  # jit: opaque
    return torch.sin(a * b) ** power, a.sum() * 2
def loss(x, w):
    one, two = bent(torch.tanh(x), w, 3)
    return (one * x).sum() * two
x = torch.linspace(0.1, 0.9, 5, dtype=torch.float64, requires_grad=True)
w = torch.linspace(1.0, 2.0, 5, dtype=torch.float64, requires_grad=True)
value = loss(x, w)
"""
    space = run_here(text)
    x, w, along = space["x"], space["w"], torch.linspace(-1, 1, 5, dtype=torch.float64)
    given = {"x": x.detach().numpy(), "w": w.detach().numpy()}
    given |= {"x.grad.direction": along.numpy(), "w.grad.direction": np.zeros(5)}
    asked = ["--timeout", "60", "--grad", "loss", "--wrt", "x,w", "--derivatives", "2"]
    found = executed(text, tmp_path, *asked, **given)
    (gradient,) = torch.autograd.grad(space["value"], [x], create_graph=True)
    wanted = torch.autograd.grad(gradient @ along, [x, w])
    close(found["x.grad"], gradient)
    close(found["x.grad2"], wanted[0])
    close(found["w.grad2"], wanted[1])


def test_parameters_that_a_call_is_not_given_are_told_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = """\
import torch
layer = torch.nn.Linear(3, 3).double()
def hidden(a):  # jit: opaque
    return torch.relu(layer(a))
def loss(x):
    return hidden(x * 2).square().sum()
x = torch.linspace(0.1, 0.9, 3, dtype=torch.float64, requires_grad=True)
value = loss(x)
"""
    given = np.array([0.5, -1.0, 2.0])
    asked = ["--timeout", "60", "--grad", "loss", "--wrt", "x"]
    executed(text, tmp_path, *asked, x=given)
    said = capsys.readouterr().err
    assert "program.py:6:12: ir.eval: it also depends on parameters that it isn't given" in said
