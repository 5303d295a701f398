"""Backward passes of PyTorch as stages of a graph, and steps of optimizers as its operations."""

import pytest
from with_torch import need_torch

from jit_lsp import ir
from jit_lsp.tracer.lift import lift

need_torch()


@pytest.fixture
def shown(traced):
    def run(program):
        result = traced(program, wall=90.0)
        assert result.trace.outcome.status == "finished", result.trace.failure
        module = lift(result.trace).module
        assert ir.verify(module) == []
        text = ir.print_module(module, ir.PrintOptions(width=400))
        assert ir.print_module(ir.parse(text), ir.PrintOptions(width=400)) == text
        return text

    return run


def test_the_gradient_that_is_asked_for_is_what_the_stage_gives(shown):
    text = shown(
        """
        import torch
        x = torch.randn(5, requires_grad=True)
        w = torch.randn(5, requires_grad=True)
        y = (x ** 2 * w).sum()
        (g,) = torch.autograd.grad(y, x)
        half = g / 2
        """
    )
    stage = text.partition("--- stage 1 ---")[2]
    assert "torch.autograd.MulBackward0(%6, other=%w.1, self=%2)  # program.py:5:6" in stage
    assert "%g.8 : f32[5] = torch.autograd.PowBackward0(%7, self=%x.0)" in stage
    assert "torch.div(%g.8, 2)" in stage.partition("--- stage 0 ---")[2]
    assert "w.grad" not in text  # nobody asked for it
    assert "torch.autograd.grad" not in text


def test_double_backward_is_stage_2_at_the_lines_of_the_forward_operations(shown):
    text = shown(
        """
        import torch
        x = torch.randn(5, requires_grad=True)
        w = torch.randn(5, requires_grad=True)
        y = (x ** 2 * w).sum()
        (g,) = torch.autograd.grad(y, x, create_graph=True)
        loss = y + (g ** 2).sum()
        loss.backward()
        with torch.no_grad():
            w -= 0.1 * w.grad
        """
    )
    first, _, second = text.partition("--- stage 2 ---")
    assert first.count("--- stage 1 ---") == 1
    through_g = next(line for line in second.split("\n") if "MulBackward0(%g.grad" in line)
    assert "self=%7" in through_g  # what stage 1 made
    assert "# program.py:5:6" in through_g  # x ** 2 * w, not the call of grad
    assert "%w.grad.31 : f32[5] = torch.autograd.accumulate(%w.1, %w.grad.30)" in second
    assert "torch.mul(0.1, %w.grad.31)" in second


def test_a_step_writes_named_parameters_in_place(shown):
    text = shown(
        """
        import torch
        from torch import nn
        net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
        optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
        x = torch.randn(8, 3)
        for step in range(3):
            optimizer.zero_grad()
            loss = net(x).pow(2).mean()
            loss.backward()
            optimizer.step()
        """
    )
    assert text.count("torch.optim.Adam.step!(") == 4
    assert text.partition("loop %step")[2].partition("{")[0].count("weight") == 4
    for line in text.split("\n"):
        if "optim.Adam.step!" in line:
            assert "# program.py:11:5" in line
            assert line.count("weight") in (0, 3) and line.count("bias") in (0, 3)


def test_a_frozen_parameter_is_not_written(shown):
    text = shown(
        """
        import torch
        w = torch.ones(3, requires_grad=True)
        frozen = torch.ones(3, requires_grad=True)
        optimizer = torch.optim.SGD([w, frozen], lr=0.1)
        (w * 2).sum().backward()
        optimizer.step()
        """
    )
    assert text.count("torch.optim.SGD.step!(%w") == text.count("torch.optim.SGD.step!") == 1


def test_what_a_layer_gave_is_known_by_its_path(shown):
    text = shown(
        """
        import torch
        from torch import nn
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.body = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
            def forward(self, x):
                return self.body(x)
        net = Net()
        net(torch.randn(8, 3)).sum().backward()
        """
    )
    stage = text.partition("--- stage 1 ---")[2]
    assert "ReluBackward0" in stage
    assert "result=%body.1.out" in stage
    assert "# program.py:9:16" in stage


def test_gradients_of_parts_are_not_added_up(shown):
    text = shown(
        """
        import torch
        x = torch.randn(4, 6, requires_grad=True)
        a, b, c = x.split(2, dim=1)
        (a * b).sum().backward()
        """
    )
    stage = text.partition("--- stage 1 ---")[2]
    assert "torch.add" not in stage
    assert "torch.autograd.SplitBackward0(%a.grad" in stage


def test_hooks_of_the_program_on_what_is_kept_are_not_called(traced):
    result = traced(
        """
        import torch
        from torch.utils.checkpoint import checkpoint
        calls = []
        def pack(t):
            calls.append("pack")
            return t
        def unpack(t):
            calls.append("unpack")
            return t
        x = torch.ones(3, requires_grad=True)
        with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
            y = x.exp().sum()
        y.backward()
        runs = []
        def part(a):
            runs.append(1)
            return a.sin()
        checkpoint(part, x, use_reentrant=False).sum().backward()
        print(calls, len(runs))
        """,
        wall=90.0,
    )
    assert result.trace.output.strip() == "['pack', 'unpack'] 2"


def test_a_pass_that_fails_and_one_inside_another_leave_the_rest_alone(traced):
    result = traced(
        """
        import torch
        x = torch.ones(3, requires_grad=True)
        class Odd(torch.autograd.Function):
            @staticmethod
            def forward(ctx, a):
                ctx.save_for_backward(a)
                return a * 2
            @staticmethod
            def backward(ctx, g):
                (a,) = ctx.saved_tensors
                with torch.enable_grad():
                    inner = a.detach().requires_grad_()
                    (inner * 3).sum().backward()
                return g * inner.grad
        for turn in range(3):
            out = Odd.apply(x).sum()
            if turn == 1:
                out.backward()
            try:
                out.backward()
            except RuntimeError:
                print("freed")
        print(x.grad.tolist())
        """,
        wall=90.0,
    )
    assert result.trace.output.split("\n")[:2] == ["freed", "[9.0, 9.0, 9.0]"]
    assert len(result.trace.backwards) == 6
    assert all(b.event.site.callee == ".backward" for b in result.trace.backwards)


def test_what_follows_a_step_is_no_call_of_recorded_code(shown):
    text = shown(
        """
        import torch
        w = torch.ones(3, requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.1)
        total = 0
        for step in range(3):
            loss = (w * 2).sum()
            loss.backward()
            optimizer.step()
            total += loss.item() * 2
        """
    )
    assert "item" not in text
