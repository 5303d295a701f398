"""What is recorded of PyTorch, and that it stays PyTorch."""

from pathlib import Path

import pytest
from with_torch import need_torch

from jit_lsp import ir
from jit_lsp.doc import render_plain
from jit_lsp.hover import hover
from jit_lsp.tracer.lift import lift
from jit_lsp.tracer.tensors import Nodes, outermost
from jit_lsp.tracer.trace import Array, Thing

need_torch()
PROGRAMS = Path(__file__).parents[2] / "programs"

TRAINING = """
    import torch
    from torch import nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(3, 4)
            self.seq = nn.Sequential(nn.ReLU(), nn.Linear(4, 1))

        def forward(self, x):
            h = self.fc(x)
            return self.seq(h)

    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    x, y = torch.randn(8, 3), torch.randn(8, 1)
    for step in range(3):
        optimizer.zero_grad()
        out = net(x)
        loss = nn.functional.mse_loss(out, y)
        loss.backward()
        optimizer.step()
"""


@pytest.fixture(scope="module")
def training(tmp_path_factory):
    import sys
    import textwrap

    from jit_lsp.session import Cancel, Limits, Request, trace

    path = tmp_path_factory.mktemp("training") / "program.py"
    path.write_text(textwrap.dedent(TRAINING))
    request = Request(str(path), path.read_text(), sys.executable, limits=Limits(wall=60.0))
    return trace(request, Cancel())


def named(trace, name):
    return next(e for e in trace.events for n, _ in e.site.bound(e.result) if n == name)


def test_parameters_have_the_names_of_the_state(training):
    held = {v.parameter for t in training.trace.things.values() for v in t.parameters.values()}
    assert {"fc.weight", "fc.bias", "seq.1.weight", "seq.1.bias"} <= held


def test_layers_run_inside_layers(training):
    event = named(training.trace, "out")
    assert [run.layer.kind for run in outermost(event)] == ["Net"]
    inner = next(e for e in training.trace.events if e.site.callee == ".seq")
    assert [run.layer.path for run in inner.layers] == ["seq.0", "seq.1", "seq"]
    assert [run.layer.name for run in outermost(inner)] == ["Sequential"]


def test_nodes_of_a_backward_pass_lead_back_to_the_lines_that_made_them(training):
    trace = training.trace
    passed = trace.backwards[0]
    events = Nodes(trace)
    callees = {n.name: events.event(n.number).site.callee for n in passed.nodes if n.number >= 0}
    assert callees["MseLossBackward0"] == "torch.nn.functional.mse_loss"
    assert callees["ReluBackward0"] == ".seq"
    leaves = {node.leaf.parameter for node in passed.nodes if node.leaf is not None}
    assert leaves == {"fc.weight", "fc.bias", "seq.1.weight", "seq.1.bias"}


def test_the_graph_has_layers_as_operations_and_parameters_by_name(training):
    module = lift(training.trace).module
    assert ir.verify(module) == []
    text = ir.print_module(module)
    assert ir.print_module(ir.parse(text)) == text
    assert "torch.nn.functional.linear(%x" in text
    assert "weight=%fc.weight" in text
    assert "torch.nn.functional.relu(" in text


def test_the_backward_pass_is_the_next_stage(traced):
    trace = traced(
        """
        import torch
        x = torch.randn(5, requires_grad=True)
        w = torch.ones(5, requires_grad=True)
        gate = torch.sigmoid(x)
        out = (gate * w).sum()
        out.backward()
        """,
        wall=60.0,
    ).trace
    module = lift(trace).module
    assert ir.verify(module) == []
    forward, _, backward = ir.print_module(module).partition("--- stage 1 ---")
    assert "torch.autograd" not in forward
    assert "%gate.grad.7 : f32[5], %w.grad.8 : f32[5] =" in backward
    assert "torch.autograd.MulBackward0(%6, other=%w.1, self=%gate.2)" in backward
    assert "torch.autograd.accumulate(%x.0, %x.grad.9)" in backward


def test_hovers_say_device_and_gradient(training):
    line = TRAINING.split("\n").index("        out = net(x)") + 1
    shown = render_plain(hover(training, training.trace.path, line, 4).doc)
    assert "f32[8, 1]" in shown
    assert "cpu" in shown
    assert "grad_fn AddmmBackward0" in shown


def test_a_correct_training_loop_is_quiet(training):
    assert training.findings == ()


def test_types_memory_and_gradients(traced):
    trace = traced(
        """
        import torch
        x = torch.ones(2, 3, dtype=torch.float64, requires_grad=True)
        row = x[0]
        plain = x.detach()
        numbers = plain.numpy()
        y = x * 2
        n = 0
        y += 1
        m = torch.empty(4, device="meta")
        """,
        wall=60.0,
    ).trace
    value = {name: named(trace, name).result for name in ("x", "row", "plain", "numbers", "m")}
    assert str(value["x"].type) == "f64[2, 3]"
    assert (value["x"].type.kind, value["x"].type.device) == ("tensor", "cpu")
    assert value["x"].type.strides == (24, 8)
    assert value["m"].type.device == "meta"
    for name in ("row", "plain", "numbers"):
        assert value[name].memory is value["x"], name
    assert value["numbers"].type.kind == "array"
    made = named(trace, "x").gradients[value["x"].number]
    assert (made.required, made.leaf, made.node) == (True, True, None)
    written = next(e for e in trace.events if e.in_place)
    after = written.gradients[written.result.number]
    assert (after.version, after.leaf, after.name) == (1, False, "AddBackward0")


def test_modes_of_the_program_see_its_own_calls_alone(traced):
    result = traced(
        """
        import torch
        from torch.overrides import TorchFunctionMode
        from torch.utils._python_dispatch import TorchDispatchMode

        calls = []
        class Functions(TorchFunctionMode):
            def __torch_function__(self, function, types, args=(), kwargs=None):
                calls.append(getattr(function, "__name__", "?"))
                return function(*args, **(kwargs or {}))
        class Operations(TorchDispatchMode):
            def __torch_dispatch__(self, function, types, args=(), kwargs=None):
                calls.append(str(function))
                return function(*args, **(kwargs or {}))

        x = torch.ones(3)
        with Functions():
            y = x + 1
            z = y.exp()
        with Operations():
            w = x * 2
        print(calls)
        """,
        wall=60.0,
    )
    assert result.trace.output.strip() == "['add', 'exp', 'aten.mul.Tensor']"


def test_no_tensor_lives_longer(traced):
    result = traced(
        """
        import gc, weakref
        import torch
        from torch import nn

        def gone(make):
            alive = weakref.ref(make())
            return alive() is None

        print(gone(lambda: torch.ones(3) * 2), gone(lambda: nn.Linear(2, 2)(torch.ones(1, 2))))
        net = nn.Linear(2, 2)
        out = net(torch.ones(1, 2))
        loss = out.sum()
        loss.backward()
        kept = [weakref.ref(out), weakref.ref(loss), weakref.ref(net)]
        del out, loss, net
        gc.collect()
        print([r() is None for r in kept])
        """,
        wall=60.0,
    )
    assert result.trace.output.split("\n")[:2] == ["True True", "[True, True, True]"]


def test_what_torch_compiles_from_bytecode_is_plain_again(traced):
    result = traced(
        """
        import torch

        def helper(a):
            return a * 2 + 1

        def f(x):
            return helper(x).sum()

        before = f(torch.ones(3))
        compiled = torch.compile(f, backend="eager", fullgraph=True)
        print(compiled(torch.ones(3)).item())
        """,
        wall=60.0,
    )
    assert result.trace.output.strip() == "9.0"
    assert isinstance(named(result.trace, "before").result, Array)


def test_a_network_of_each_kind_is_quiet(traced):
    result = traced((PROGRAMS / "torch_models.py").read_text(), wall=60.0)
    assert result.trace.outcome.status == "finished"
    assert result.findings == ()
    assert any(isinstance(t, Thing) and t.name == "LSTM" for t in result.trace.things.values())


def test_values_go_through_packed_sequences_and_results_with_names(traced):
    result = traced(
        """
        import torch
        from torch import nn
        from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
        lstm, gru = nn.LSTM(3, 4, batch_first=True), nn.GRU(4, 2, batch_first=True)
        x = torch.randn(2, 5, 3)
        packed = pack_padded_sequence(x, torch.tensor([5, 3]), batch_first=True)
        out, (h, c) = lstm(packed)
        later, last = gru(out)
        padded, sizes = pad_packed_sequence(out, batch_first=True)
        best, where = padded.max(dim=1)
        top = torch.topk(best + h[0], 2).values
        """
    )
    module = lift(result.trace).module
    assert ir.verify(module) == []
    nodes = {str(node.op): node for node in module.walk()}
    packed = nodes["torch.nn.utils.rnn.pack_padded_sequence"]
    network, padded = nodes["torch.nn.LSTM.packed"], nodes["torch.nn.utils.rnn.pad_packed_sequence"]
    assert set(packed.results) <= set(network.values())
    assert network.results[0] in set(nodes["torch.nn.GRU.packed"].values())
    assert network.results[0] in set(padded.values())
    assert padded.results[0] in set(nodes["torch.Tensor.max"].values())
    assert nodes["torch.topk"].results[0].type.sizes == (2, 2)


def test_layers_of_scripts_are_read_without_effect(traced):
    """They keep their parts in containers that are no dictionaries."""
    result = traced(
        """
        import torch
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.w = torch.nn.Parameter(torch.eye(3))
            def forward(self, x: torch.Tensor) -> torch.Tensor:
                return torch.tanh(x @ self.w)
        net = torch.jit.script(Net())
        y = net(torch.ones(2, 3))
        y.sum().backward()
        print(net.w.grad.shape)
        """,
        wall=90.0,
    )
    assert result.trace.failure is None
    assert result.trace.output == "torch.Size([3, 3])\n"


def test_a_layer_is_an_item_of_its_container(traced):
    result = traced(
        """
        import torch
        from torch import nn
        net = nn.Sequential(nn.Linear(3, 4), nn.ReLU())
        net[0].register_forward_hook(lambda layer, given, out: out * 2)
        y = net(torch.ones(2, 3))
        """
    )
    module = lift(result.trace).module
    assert list(ir.verify(module)) == []
