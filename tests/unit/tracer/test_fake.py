"""PyTorch programs that are traced without computing."""

import subprocess
import sys

import pytest
from with_torch import need_torch

from jit_lsp.ir import print_module
from jit_lsp.tracer.lift import lift

need_torch()

TRAINING = """
    import torch
    from torch import nn

    class Net(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.first = nn.Linear(6, width)
            self.norm = nn.BatchNorm1d(width)
            self.last = nn.Linear(width, 3)

        def forward(self, x):
            h = torch.relu(self.norm(self.first(x)))
            return self.last(h)

    net = Net({width})
    optimizer = torch.optim.Adam(net.parameters())
    x = torch.randn(8, 6)
    part = x[:, :2].t().detach()
    loss = nn.functional.cross_entropy(net(x), torch.zeros(8, dtype=torch.int64))
    loss.backward()
    optimizer.step()
    print("trained")
"""


def test_the_graph_is_that_of_the_real_run(traced):
    fake, real = (traced(TRAINING.format(width=16), fake=fake) for fake in (True, False))
    assert [r.trace.output for r in (fake, real)] == ["trained\n"] * 2
    assert fake.findings == real.findings == ()
    graphs = [print_module(lift(r.trace).module) for r in (fake, real)]
    assert "f32[8, 16]" in graphs[0]
    assert graphs[0] == graphs[1]


def test_a_model_that_no_memory_would_hold(traced):
    result = traced(TRAINING.format(width=1 << 36), fake=True, wall=60.0)
    assert result.trace.outcome.status == "finished"
    assert f"f32[8, {1 << 36}]" in print_module(lift(result.trace).module)


@pytest.mark.parametrize(
    "ending",
    ["x = torch.ones(3)\nif x.sum() > 2: y = x + 1", "x = torch.ones(3)\ny = x[x > 0].numpy() + 1"],
)
def test_where_elements_decide_it_is_computed(tmp_path, ending):
    path = tmp_path / "program.py"
    path.write_text(f"import torch\n{ending}\n")
    command = [sys.executable, "-m", "jit_lsp.cli", "trace", "--fake", "--timeout", "60"]
    command += ["--interpreter", sys.executable]
    ran = subprocess.run([*command, path], capture_output=True, text=True, timeout=200, check=False)
    assert ran.returncode == 0
    assert "types and sizes are not enough in line 3" in ran.stderr
    assert "%y." in ran.stdout
