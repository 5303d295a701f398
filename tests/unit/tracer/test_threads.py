"""Programs of several threads: each is traced on a line of its own."""

import pytest
from graph_texts import graphs_of
from with_torch import need_torch

TWO_AT_ONCE = """
import threading
import numpy as np

barrier = threading.Barrier(2)

def scaled(x):
    barrier.wait()
    y = x * 2.0
    barrier.wait()
    return y

def shifted(x):
    barrier.wait()
    y = x + 1.0
    barrier.wait()
    return y

def one(x):
    for turn in range(3):
        x = scaled(x)
    found[0] = x

def two(x):
    for turn in range(3):
        x = shifted(x)
    found[1] = x

found = [None, None]
threads = [threading.Thread(target=one, args=(np.ones(3),)),
           threading.Thread(target=two, args=(np.ones(4),))]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
whole = np.concatenate(found)
"""


def test_calls_and_loops_of_two_threads_at_once_are_each_one_s_own(traced):
    result = traced(TWO_AT_ONCE)
    trace = result.trace
    for name, outer in (("scaled", "one"), ("shifted", "two")):
        frames = [f for f in trace.frames if f.scope.name == name]
        assert len(frames) == 3
        assert {f.parent.scope.name for f in frames} == {outer}
        assert all(f.call is not None and f.call.frame is f.parent for f in frames)
    lines = {f.scope.name: (f.line, f.thread) for f in trace.frames[1:]}
    assert lines["one"] == lines["scaled"] != lines["two"] == lines["shifted"]
    runs = [run for run in trace.loop_runs if run.frame.scope.name in ("one", "two")]
    assert [run.iterations for run in runs] == [3, 3]

    graphs = graphs_of(result)
    for name, callee in (("one", "scaled"), ("two", "shifted")):
        assert any("loop %turn" in line for line in graphs[name])
        assert sum(f"call @{callee}(" in line for line in graphs[name]) == 1
        assert not any("ir.outside" in line for line in graphs[name])
    called = [line for line in graphs["main"] if "call @" in line]
    names = [line.partition(" :")[0] for line in called]
    joined = next(line for line in graphs["main"] if "np.concatenate" in line)
    assert sorted(names) == sorted(joined.partition("([")[2].partition("])")[0].split(", "))


def test_work_of_a_pool_is_a_line_each(traced):
    result = traced(
        """
        from concurrent.futures import ThreadPoolExecutor
        import numpy as np
        def inner(v):
            return v * 2.0
        def work(v):
            return inner(v) + 1.0
        with ThreadPoolExecutor(1) as pool:
            futures = [pool.submit(work, np.full(3, float(k))) for k in range(2)]
            a = futures[0].result()
            b = futures[1].result()
        c = a + b
        """
    )
    work = [f for f in result.trace.frames if f.scope.name == "work"]
    assert len(work) == 2
    assert all(f.begins_line and f.parent is result.trace.frames[0] for f in work)
    assert work[0].line != work[1].line
    assert work[0].thread == work[1].thread > 0
    main = graphs_of(result)["main"]
    called = [line.partition(" :")[0] for line in main if "call @work(" in line]
    assert len(called) == 2
    assert any(f"np.add({called[0]}, {called[1]})" in line for line in main)


def test_an_operation_that_ends_behind_a_thread_is_shown_beside_it(traced):
    main = graphs_of(
        traced(
            """
            import threading
            import numpy as np
            x = np.ones(3)
            kept = []
            def work():
                kept.append(x * 2.0)
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
            y = np.exp(x)
            """
        )
    )["main"]
    assert any("call @work(" in line for line in main)
    assert any("np.exp(%x" in line for line in main)


def test_a_loop_hands_on_what_its_own_thread_writes(traced):
    graphs = graphs_of(
        traced(
            """
            import threading
            import numpy as np
            both = threading.Barrier(2)
            def fill(x):
                for turn in range(3):
                    both.wait()
                    x += 1.0
                    both.wait()
            kept = [np.zeros(3), np.zeros(3)]
            threads = [threading.Thread(target=fill, args=(x,)) for x in kept]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            y = kept[0] + kept[1]
            """
        )
    )
    loop = next(line for line in graphs["fill"] if "loop %turn" in line)
    assert loop.count("=") == 2
    called = [line for line in graphs["main"] if "call! @fill(" in line]
    assert len(called) == 2
    first, second = (line.partition(" :")[0] for line in called)
    assert any(f"np.add({first}, {second})" in line for line in graphs["main"])


@pytest.fixture
def with_torch():
    need_torch()


def test_regions_layers_and_passes_belong_to_their_thread(with_torch, traced):
    result = traced(
        """
        import threading
        import torch
        from torch import nn
        both = threading.Barrier(2)
        def run(net, x):
            both.wait()
            h = net(x)
            both.wait()
            return h
        def train(net, x):
            for turn in range(2):
                h = run(net, x)
                both.wait(), both.wait()
                h.pow(2).sum().backward()
        first = nn.Sequential(nn.Linear(3, 3), nn.Tanh())
        second = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
        def guess(net, x):
            with torch.no_grad():
                for turn in range(2):
                    x = run(net, x)
                    both.wait(), both.wait()
        threads = [threading.Thread(target=guess, args=(first, torch.ones(2, 3))),
                   threading.Thread(target=train, args=(second, torch.ones(2, 4)))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        """,
        wall=90.0,
    )
    trace = result.trace
    for event in trace.events:
        root = event.frame
        while root.parent is not None and root.line:
            root, last = root.parent, root
        if event.frame.line and event.layers:
            names = {run.layer.name for run in event.layers}
            assert ("Tanh" in names) == (last.scope.name == "guess")
            assert ("no_grad" in event.under) == (last.scope.name == "guess")
    assert {b.event.frame.scope.name for b in trace.backwards} == {"train"}
    text = graphs_of(result)
    train = "\n".join(text["train"])
    assert "ReluBackward0" in train
    assert "no_grad" not in train
    assert any("under no_grad" in line for line in text["guess"])


def test_a_pass_through_what_two_threads_computed_finds_each_one_s_lines(with_torch, traced):
    result = traced(
        """
        import threading
        import torch
        w = torch.ones(3, requires_grad=True)
        v = torch.ones(3, requires_grad=True)
        found = [None, None]
        def one():
            a = w * 2
            found[0] = a.exp()
        def two():
            a = v + 3
            found[1] = a.sin()
        first = threading.Thread(target=one)
        second = threading.Thread(target=two)
        first.start(), first.join(), second.start(), second.join()
        loss = (found[0] * found[1]).sum()
        loss.backward()
        """,
        wall=90.0,
    )
    from jit_lsp.tracer.stages import Passes

    passes = Passes(result.trace)
    (done,) = result.trace.backwards
    lines = {n.name: passes.event(n.number).site.span.line for n in done.nodes if n.number >= 0}
    at = {"SumBackward0": 16, "ExpBackward0": 9, "SinBackward0": 12, "AddBackward0": 11}
    assert at.items() <= lines.items()
    main = graphs_of(result)["main"]
    stage = main[main.index("--- stage 1 ---") :]
    made = next(line for line in main if "call @one(" in line).partition(" :")[0]
    order = [n for line in stage for n in ("Sum", "Exp", "Sin", "accum") if n in line]
    assert order[0] == "Sum"
    assert order.count("accum") == 2
    assert "autograd.seed(%loss" in stage[1]
    assert next(line for line in stage if "ExpBackward0" in line).endswith(f"result={made})")
