# expect: nothing
# why: a branch on a size is taken while the graph is made
import torch
def f(x):
    if x.shape[0] > 2:
        return x * 2
    return x - 100
fast = torch.compile(f, backend="eager", fullgraph=True)
fast(torch.ones(2))
