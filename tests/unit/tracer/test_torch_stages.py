"""Backward passes of PyTorch as stages of a graph, and steps of optimizers as its operations."""

import pytest
from graph_texts import text_of
from with_torch import need_torch

from jit_lsp.tracer.frontends.torch_gradients import MAX_SHOWN
from jit_lsp.tracer.stages import Passes

need_torch()


@pytest.fixture
def shown(traced):
    return lambda program: text_of(traced(program, wall=90.0))


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


def test_each_of_many_passes_alike_takes_what_its_own_computation_kept(traced):
    result = traced(
        """
        import torch
        net = torch.nn.Linear(3, 1)
        for step in range(30):
            torch.zeros(step + 1)  # something new, so that no iteration runs plain
            x = torch.randn(8, 3)
            h = net(x)
            loss = (h ** 2).mean()
            loss.backward()
        """,
        wall=90.0,
    )
    trace = result.trace
    passes = [*trace.backwards, *trace.repeated]
    assert len(passes) == 30
    assert len(trace.repeated) > 5  # of which it was only told that they are like the first
    known = Passes(trace)
    made = [(e.index, e.result) for e in trace.events if "h" in dict(e.site.bound(e.result))]
    for done in passes:
        assert known.alike(done) == 30
        power = next(node for node in done.form.nodes if node.name == "PowBackward0")
        (kept,) = dict(power.kept)["self"]
        *_, own = [h for index, h in made if index < done.event.index]
        assert known.counterpart(kept, done.form.event, done.event) is own


def test_networks_that_are_gone_have_their_parameters_all_the_same(shown):
    text = shown(
        """
        import torch
        from torch import nn

        def fit(net):
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            for step in range(12):
                loss = net(torch.randn(8, 3)).pow(2).mean()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()

        fit(nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)))
        fit(nn.Linear(3, 1))
        """
    )
    assert "2.weight.grad" in text
    second = text.partition("graph @fit.1")[2]
    assert "linear(%" in second
    assert "weight=%weight." in second
    assert second.count("--- stage 1 ---") == 1
    assert "torch.optim.SGD.step!(%weight." in second


def test_what_has_several_names_has_the_first_that_its_state_gives_it(shown):
    text = shown(
        """
        import torch
        from torch import nn

        class Tied(nn.Module):
            def __init__(self):
                super().__init__()
                self.emb = nn.Embedding(5, 4)
                self.block = nn.Linear(4, 4)
                self.blocks = nn.ModuleList([self.block, self.block])
                self.out = nn.Linear(4, 5, bias=False)
                self.out.weight = self.emb.weight

            def forward(self, t):
                h = self.emb(t)
                for block in self.blocks:
                    h = block(h)
                return self.out(h)

        net = Tied()
        net(torch.tensor([1, 2])).sum().backward()
        print([name for name, _ in net.named_parameters()])
        """
    )
    assert "%emb.weight." in text
    assert "%block.weight." in text
    assert "%out.weight" not in text
    assert "%blocks." not in text


def test_hooks_are_called_where_the_gradients_are_that_they_are_given(shown):
    text = shown(
        """
        import torch
        from torch import nn

        def halved(gradient):
            return gradient * 0.5

        layer = nn.Linear(3, 2)
        layer.register_forward_hook(lambda module, given, made: made * 2)
        layer.weight.register_hook(halved)
        x = torch.randn(4, 3)
        h = layer(x)
        h.register_hook(lambda gradient: gradient.clamp(-1, 1))
        h.sum().backward()
        """
    )
    stage = text.partition("--- stage 1 ---")[2].partition("return")[0]
    clamped, rest = stage.split("call @lambda.1(%h.grad.")
    assert "SumBackward0" in clamped
    assert "call @halved(%weight.grad." in rest.partition("autograd.accumulate(%weight")[0]
    assert "# program.py:14:1, a hook" in rest
    assert "torch.Tensor.clamp(%gradient." in text
    assert "opaque" not in text


def test_what_a_second_stage_takes_is_named_as_far_as_it_is_known(shown):
    text = shown(
        """
        import torch
        from torch import nn
        net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
        x = torch.randn(8, 3, requires_grad=True)
        (g,) = torch.autograd.grad(net(x).sum(), x, create_graph=True)
        g.pow(2).sum().backward()
        """
    )
    first, _, second = text.partition("--- stage 2 ---")
    assert "%0.weight.T." in first
    assert "mat2=%0.weight." in second  # the parameter itself, not what had its elements
    made = [line for line in second.split("\n") if "ir.outside()" in line]
    assert made
    assert all("# program.py:6:28, made in " in line for line in made)


def test_writes_through_data_and_by_an_argument_are_writes(shown):
    text = shown(
        """
        import torch
        import torch.nn.functional as F
        x = torch.randn(3, 4, requires_grad=True)
        y = x * 2
        z = F.relu(y, inplace=True)
        s = torch.rand(3, requires_grad=True)
        s.data.clamp_(0, 1)
        t = s * 2
        """
    )
    assert "torch.nn.functional.relu![inplace=True](%y.1)" in text
    assert "%s.4 : f32[3] = torch.Tensor.clamp_!(%s.3, 0, 1)" in text
    assert "torch.mul(%s.4, 2)" in text


def test_a_late_pass_is_told_of_where_its_gradients_go_wrong(traced):
    trace = traced(
        """
        import torch
        w = torch.ones(3, requires_grad=True)
        for i in range(3000):
            x = w * (0.0 if i >= 600 else 1.0)
            y = torch.where(x > 0, x.sqrt(), x).sum()
            y.backward()
        """,
        wall=90.0,
    ).trace
    *first, late = trace.backwards[: MAX_SHOWN + 1]
    assert len(first) == MAX_SHOWN
    assert trace.repeated
    assert [b.blame for b in first] == [None] * MAX_SHOWN
    assert late.like is first[0]
    assert next(n.name for n in late.nodes if n.number == late.blame) == "SqrtBackward0"
