"""What operations of PyTorch run under, in the graph and over the text."""

import pytest
from graph_texts import text_of
from with_torch import need_torch

from jit_lsp import ir
from jit_lsp.hover import hover
from jit_lsp.tracer.lift import lift

need_torch()

WIDE = ir.PrintOptions(width=400)


@pytest.fixture
def shown(traced):
    """The lines of a program's graphs, without places, by the name of the graph."""

    def run(program):
        result = traced(program, wall=90.0)
        assert not result.findings
        graphs = {}
        for part in text_of(result).split("\n\n"):
            lines = [line.partition("  # ")[0].strip() for line in part.strip().split("\n")]
            graphs[lines[0].split("@")[1].split("(")[0]] = lines[1:-1]
        return graphs

    return run


def inside(lines, head):
    """What is done in the braces that ``head`` opens: the names of its ops."""
    start = lines.index(f"under {head} {{")
    depth, found = 0, []
    for line in lines[start:]:
        depth += line.endswith("{") - (line == "}")
        if depth == 0:
            return found
        if " = " in line:
            found.append(line.partition(" = ")[2].partition("(")[0])
    raise AssertionError(lines)


def test_whatever_turns_gradients_off_or_casts_on_is_a_part_of_the_graph(shown):
    lines = shown(
        """
        import torch
        w = torch.rand(3, 3, requires_grad=True)
        a = w * 2
        with torch.no_grad():
            b = torch.exp(w)
            c = torch.log(b)
        with torch.inference_mode():
            d = torch.sin(w)
        with torch.autocast("cpu", dtype=torch.float16):
            e = torch.cos(w)
        with torch.no_grad(), torch.autocast("cpu"):
            f = torch.tan(w)
        torch.set_grad_enabled(False)
        g = torch.sqrt(w)
        torch.set_grad_enabled(True)
        h = w * 3
        """
    )["main"]
    assert inside(lines, "no_grad") == ["torch.exp", "torch.log"]
    assert inside(lines, "inference_mode") == ["torch.sin"]
    assert inside(lines, "autocast[cpu=f16]") == ["torch.cos"]
    assert inside(lines, "no_grad, autocast[cpu=bf16]") == ["torch.tan"]
    rest = lines[lines.index("under no_grad, autocast[cpu=bf16] {") + 3 :]
    assert inside(rest, "no_grad") == ["torch.sqrt"]
    assert "torch.mul" in lines[1]
    assert "torch.mul" in rest[3]


def test_a_function_says_what_it_turns_off_and_its_caller_what_was_off_before(shown):
    graphs = shown(
        """
        import torch
        w = torch.rand(3, requires_grad=True)

        def double(x):
            return x * 2

        @torch.no_grad()
        def evaluate(x):
            with torch.enable_grad():
                known = torch.exp(x)
            return float((known + double(x)).sum())

        def looked_at(x):
            with torch.enable_grad():
                return torch.sqrt(x)

        a = double(w)
        b = evaluate(w)
        with torch.no_grad():
            c = double(w)
            d = looked_at(c)
        """
    )
    assert inside(graphs["main"], "no_grad") == ["call @double", "call @looked_at"]
    body = graphs["evaluate"]
    assert body[0].endswith("torch.exp(%x.6)") or "torch.exp" in body[0]
    assert inside(body, "no_grad") == ["call @double", "torch.add", "torch.Tensor.sum"]
    assert not any(line.startswith("under") for line in graphs["double"])
    assert "double.1" not in graphs  # one body, whatever its callers run under
    assert inside(graphs["looked_at"], "enable_grad") == ["torch.sqrt"]


def test_a_loop_in_a_part_and_a_part_in_a_loop(shown):
    lines = shown(
        """
        import torch
        w = torch.rand(3, requires_grad=True)
        with torch.no_grad():
            for i in range(4):
                a = w * 2
        for i in range(4):
            b = w + 2
            with torch.no_grad():
                c = b - 1
        """
    )["main"]
    loops = [n for n, line in enumerate(lines) if "loop" in line]
    assert lines.index("under no_grad {") < loops[0]
    assert "torch.mul" in lines[loops[0] + 1]
    assert "}" in lines[loops[0] + 2 : loops[1]]
    second = lines[loops[1] + 1 :]
    assert "torch.add" in second[0]
    assert inside(second, "no_grad") == ["torch.sub"]


def test_what_autocast_computes_in_another_type_says_so(traced):
    result = traced(
        """
        import torch
        from torch import nn
        net = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
        x, w = torch.randn(2, 4), torch.randn(8, 3)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            h = net(x)
            y = h @ w
            z = y.float()
            s = torch.nn.functional.mse_loss(y, y)
            t = y + z
        """,
        wall=90.0,
    )
    assert not result.findings
    text = ir.print_module(lift(result.trace).module, WIDE)
    notes = {
        line.partition("(")[0].rpartition(".")[2]: line.partition("  # ")[2].partition(", ")[2]
        for line in text.split("\n")
        if " = torch." in line
    }
    assert notes["linear"] == "0, bf16 by autocast"
    assert notes["matmul"] == "bf16 by autocast"
    assert notes["mse_loss"] == "f32 by autocast"
    assert notes["float"] == notes["add"] == ""
    path = result.trace.path
    said = hover(result, path, 8, 4).markdown
    assert "under `autocast[cpu=bf16]`, which computes it in bf16" in said
    assert hover(result, path, 9, 4).markdown.count("computes it in") == 0


def test_each_thread_has_its_own(shown):
    graphs = shown(
        """
        import threading
        import torch
        w = torch.rand(3, requires_grad=True)
        found = []

        def work():
            found.append(w * 2)

        with torch.no_grad():
            a = torch.sin(w)
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
            b = torch.cos(w)
        c = torch.exp(w)
        """
    )
    main, work = graphs["main"], graphs["work"]
    called = next(i for i, line in enumerate(main) if line.startswith("call @work("))
    assert "torch.sin" in inside(main[:called], "no_grad")  # it isn't called in there
    assert "torch.cos" in inside(main[called:], "no_grad")
    assert not any(line.startswith("under") for line in work)


def test_gradients_do_not_lead_through_what_kept_none():
    from jit_lsp.ir.passes.differentiate import differentiate

    module = ir.parse(
        """
        graph @main(%x.0: f64[3]) {
          under no_grad {
            %a.1 : f64[3] = np.exp(%x.0)
          }
          %b.2 : f64[3] = np.multiply(%a.1, %x.0)
          %l.3 : f64[] = np.sum(%b.2)
          return %l.3
        }
        """
    )
    x, _, _, loss = module.main.body.values()
    text = str(differentiate(module, loss, [x]))
    assert "%x.grad" in text
    assert "exp" not in text.partition("--- stage 1 ---")[2]
