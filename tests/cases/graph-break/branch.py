# expect: 6 graph-break
# why: a branch on a tensor's numbers
# check: torch._dynamo.utils.graph_break_reasons
import torch
def f(x):
    if x.sum() > 0:
        return x * 2
    return x - 100
fast = torch.compile(f, backend="eager")
fast(torch.ones(2))
