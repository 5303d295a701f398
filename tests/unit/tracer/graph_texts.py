"""The graphs of a run that ended well, as text: valid, and the same when they are read again."""

from jit_lsp import ir
from jit_lsp.tracer.lift import lift

_WIDE = ir.PrintOptions(width=400)


def text_of(result):
    """The text of all graphs of a session's result."""
    assert result.trace.outcome.status == "finished", result.trace.failure
    module = lift(result.trace).module
    assert ir.verify(module) == []
    text = ir.print_module(module, _WIDE)
    assert ir.print_module(ir.parse(text), _WIDE) == text
    return text


def graphs_of(result):
    """The graphs of a session's result by name, each a list of its lines without comments."""
    found = {}
    for graph in text_of(result).split("graph @")[1:]:
        lines = [line.partition("#")[0].strip() for line in graph.splitlines()]
        found[graph.partition("(")[0]] = lines[1:]
    return found
