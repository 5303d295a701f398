"""Hooks of PyTorch in graphs: what is used behind one is what it gave."""

import pytest
from graph_texts import graphs_of
from with_torch import need_torch

need_torch()


@pytest.fixture
def graphs(traced):
    """The graphs of a program by name, each a list of its lines without comments."""
    return lambda program: graphs_of(traced(program, wall=90.0))


def op(lines, name):
    """What the line of an op, or of a call, gives, and what it takes."""
    line = next(line for line in lines if f" {name}(" in f" {line}")
    made, _, rest = line.partition(" = ") if " = " in line else ("", "", line)
    taken = rest.partition("(")[2].rpartition(")")[0]
    return [m.partition(" :")[0] for m in made.split(", %")], taken.split(", ")


def test_what_hooks_of_a_layer_give_takes_the_place_of_what_they_are_given(graphs):
    found = graphs(
        """
        import torch
        from torch import nn
        def pre(module, given):
            return (given[0] * 3,)
        def post(module, given, made):
            return made * 2
        def look(module, given, made):
            made.mean()
        layer = nn.Linear(3, 2)
        layer.register_forward_pre_hook(pre)
        layer.register_forward_hook(look)
        layer.register_forward_hook(post)
        x = torch.randn(4, 3)
        h = layer(x)
        out = h + 1
        """
    )
    main = found["main"]
    (three,), (x,) = op(main, "call @pre")
    assert x.startswith("%x.")
    (made,), (taken, *_) = op(main, "torch.nn.functional.linear")
    assert taken == three
    assert op(main, "call @look") == ([""], [made])
    (h,), (given,) = op(main, "call @post")
    assert given == made
    assert op(main, "torch.add")[1][0] == h
    assert h.startswith("%h.")
    assert not any("%x" in line for line in main if "linear" in line)


def test_hooks_in_a_sequence_stand_between_its_layers(graphs):
    main = graphs(
        """
        import torch
        from torch import nn
        net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
        net[0].register_forward_hook(lambda m, given, made: made * 2)
        net[2].register_forward_pre_hook(lambda m, given: given[0] - 1)
        net.register_forward_hook(lambda m, given, made: made.exp())
        y = net(torch.randn(8, 3))
        z = y + 1
        """
    )["main"]
    shown = [line for line in main if "functional" in line or "call @" in line]
    names = [line.partition(" = ")[2].partition("(")[0].rpartition(".")[2] for line in shown]
    assert [n.strip() for n in names] == ["linear", "call @lambda", "relu", "1", "linear", "2"]
    made = [line.partition(" :")[0] for line in shown]
    assert all(f"({before}" in line for before, line in zip(made, shown[1:], strict=False))
    assert f"({made[-1]}, 1)" in next(line for line in main if "torch.add" in line)


def test_modules_of_the_program_in_a_sequence_stand_beside_the_library_s(graphs):
    main = graphs(
        """
        import torch
        from torch import nn
        class Block(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(4, 4)
            def forward(self, x):
                return x + self.fc(x)
        net = nn.Sequential(nn.Linear(3, 4), Block(), nn.Tanh())
        y = net(torch.randn(8, 3))
        """
    )["main"]
    first = op(main, "torch.nn.functional.linear")[0][0]
    (block,), (taken, *_) = op(main, "call @forward")
    assert taken == first
    assert op(main, "torch.nn.functional.tanh")[1] == [block]


def test_hooks_of_tensors_give_the_gradient_that_goes_on(graphs):
    found = graphs(
        """
        import torch
        x = torch.ones(3, requires_grad=True)
        y = x * 2
        def look(g):
            g.sum()
        def ten(g):
            return g * 10
        def one(g):
            return g + 1
        y.register_hook(look)
        y.register_hook(ten)
        x.register_hook(one)
        for turn in range(2):
            y.sum().backward(retain_graph=True)
        step = x.grad * 0.1
        """
    )
    main = found["main"]
    (arrived,), _ = op(main, "torch.autograd.SumBackward0")
    assert op(main, "call @look")[1] == [arrived]
    (ten,), given = op(main, "call @ten")
    assert given == [arrived]
    (gradient,), (taken, *_) = op(main, "torch.autograd.MulBackward0")
    assert taken == ten
    (one,), given = op(main, "call @one")
    assert given == [gradient]
    assert op(main, "torch.autograd.accumulate")[1][1] == one


def test_backward_hooks_of_layers_are_called_where_they_ran(graphs):
    main = graphs(
        """
        import torch
        from torch import nn
        def scale(module, into, out):
            return (into[0] * 0.5,)
        def before(module, out):
            return (out[0] * 2,)
        def look(module, into, out):
            into[0].sum()
        net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
        net[1].register_full_backward_hook(look)
        net[1].register_full_backward_hook(scale)
        net[2].register_full_backward_pre_hook(before)
        net(torch.randn(8, 3)).sum().backward()
        """
    )["main"]
    (gradient,), _ = op(main, "torch.autograd.BackwardHookFunctionBackward")
    (doubled,), given = op(main, "call @before")
    assert given == [gradient]
    assert op(main, "torch.autograd.AddmmBackward0")[1][0] == doubled
    (given,) = op(main, "call @look")[1]
    (half,), taken = op(main, "call @scale")
    assert taken == [given]
    last = [line for line in main if "AddmmBackward0(" in line][-1]
    assert f"AddmmBackward0({half}," in last
    where = [i for i, line in enumerate(main) for n in ("Tanh", "@scale", "accum") if n in line]
    assert where == sorted(where)


def test_a_hook_behind_an_accumulation_changes_what_the_step_takes(graphs):
    found = graphs(
        """
        import torch
        from torch import nn
        net = nn.Linear(3, 2, bias=False)
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        def clip(p):
            p.grad.clamp_(-1, 1)
        net.weight.register_post_accumulate_grad_hook(clip)
        net(torch.randn(8, 3)).pow(2).sum().backward()
        opt.step()
        """
    )
    main = found["main"]
    total = op(main, "torch.autograd.accumulate")[0]
    (clipped,), taken = op(main, "call! @clip")
    assert taken == total
    assert op(main, "torch.optim.SGD.step!")[1][1] == clipped


def test_the_calls_of_hooks_end_where_their_layer_begins(traced):
    """They are no callers of what runs behind them."""
    trace = traced(
        """
        import torch
        from torch import nn
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.a = nn.Linear(3, 4)
            def forward(self, x):
                return self.a(x).relu()
        net = Net()
        net.register_forward_pre_hook(lambda m, given: (given[0] + 1,))
        y = net(torch.randn(5, 3))
        """,
        wall=90.0,
    ).trace
    forward = next(f for f in trace.frames if f.scope.name == "forward")
    assert forward.parent is trace.frames[0]


def test_hooks_leave_the_program_s_traceback_and_results_alone(traced):
    result = traced(
        """
        import inspect
        import traceback
        import torch
        from torch import nn
        net = nn.Linear(2, 2)
        def bad(module, given):
            raise ValueError("no")
        handle = net.register_forward_pre_hook(bad)
        try:
            net(torch.ones(1, 2))
        except ValueError:
            for frame in traceback.format_exc().splitlines():
                print(frame.strip()[-60:])
        handle.remove()
        print(inspect.signature(nn.Module._call_impl))
        print(len(inspect.getsource(nn.Module._call_impl)) > 100)
        """,
        wall=90.0,
    )
    lines = result.trace.output.splitlines()
    assert "args_result = hook(self, args)" in lines
    assert lines[-2:] == ["(self, *args, **kwargs)", "True"]


def test_hooks_end_the_forward_function_and_take_arguments_by_name(graphs):
    found = graphs(
        """
        import torch
        from torch import nn
        class Scaled(nn.Module):
            def forward(self, x, *, scale=1.0):
                return x * scale
        layer = Scaled()
        layer.register_forward_pre_hook(
            lambda module, given, named: ((given[0] - 1,), {"scale": 2.0}), with_kwargs=True
        )
        layer.register_forward_hook(
            lambda module, given, named, made: made + named["scale"], with_kwargs=True
        )
        y = layer(torch.ones(3), scale=3.0)
        z = y.exp()
        """
    )
    main = found["main"]
    (before,), _ = op(main, "call @lambda")
    (made,), (given, *_) = op(main, "call @forward")
    assert given == before
    (y,), (given,) = op(main, "call @lambda.1")
    assert given == made
    assert op(main, "torch.Tensor.exp")[1] == [y]
    assert not any("call @" in line for line in found["forward"])


def test_layers_with_backward_hooks_take_and_give_the_same_values(graphs):
    found = graphs(
        """
        import torch
        from torch import nn
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.a, self.b = nn.Linear(3, 4), nn.Linear(4, 2)
            def forward(self, x):
                return self.b(self.a(x).relu())
        kept = {}
        def keep(module, into, out):
            kept["sum"] = out[0].sum() + into[0].sum()
        net = Net()
        net.a.register_full_backward_hook(keep)
        x = torch.randn(2, 3, requires_grad=True)
        net(x).sum().backward()
        """
    )
    assert not any("ir.outside" in line for line in found["forward"])
    main = found["main"]
    outward, inward = (
        line for line in main if "torch.autograd.BackwardHookFunctionBackward(" in line
    )
    taken = op(main, "call @keep")[1]
    assert inward.partition(" :")[0] in taken
    assert outward.partition(" :")[0] in taken


def test_hooks_of_tensors_are_known_by_their_code(graphs):
    found = graphs(
        """
        import functools
        import torch

        def scaled(by):
            def hook(grad):
                return grad * by
            return hook

        class Clip:
            def __init__(self, most):
                self.most = most
            def __call__(self, grad):
                return grad.clamp(-self.most, self.most)
            def shift(self, grad):
                return grad + 1

        def power(n, grad):
            return grad ** n

        def hook(grad):
            return grad - 100

        keep = lambda g: g - 1

        x = torch.ones(3, requires_grad=True)
        y = x * 2
        y.register_hook(scaled(0.5))
        z = y ** 2
        z.register_hook(Clip(0.1))
        a = z.exp()
        a.register_hook(Clip(0.1).shift)
        b = a.sin()
        b.register_hook(functools.partial(power, 2))
        c = b * 3
        c.register_hook(hook=keep)
        c.sum().backward()
        """
    )
    stage = found["main"]
    called = [
        op(stage, f"call @{name}") for name in ("lambda", "power", "shift", "__call__", "hook")
    ]
    assert [taken[0].partition(".")[0] for _, taken in called] == ["%c", "%b", "%a", "%z", "%y"]
    for (value,), _ in called:
        used = [line for line in stage if f"({value}" in line]
        assert len(used) == 1, "what a hook gave is what goes on"
    assert op(found["hook"], "torch.mul")[1] == ["%grad.30", "0.5"], "not the other of that name"
