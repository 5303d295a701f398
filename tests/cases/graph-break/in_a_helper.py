# expect: 6 graph-break
# why: a line of a log inside of a function that is called
# check: torch._dynamo.utils.graph_break_reasons
import torch
def shown(x):
    print("largest", x.max())
    return x * 2
def f(x):
    return shown(x) + 1
fast = torch.compile(f, backend="eager")
fast(torch.ones(2))
