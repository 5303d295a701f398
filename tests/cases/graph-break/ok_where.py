# expect: nothing
# why: both sides are computed, and one graph has them
import torch
def f(x):
    return torch.where(x.sum() > 0, x * 2, x - 100)
fast = torch.compile(f, backend="eager")
fast(torch.ones(2))
