# expect: nothing
# why: a branch on a Python value is taken while the graph is made
import torch
def f(x, double=True):
    if double:
        return x * 2
    return x - 100
fast = torch.compile(f, backend="eager", fullgraph=True)
fast(torch.ones(2))
fast(torch.ones(2), double=False)
