# expect: 7 baked-constant related 12
# why: the branch is that of the example
# check: torch.equal(traced(-torch.ones(2)), -2 * torch.ones(2))
import torch

def f(x):
    if x.sum() > 0:
        return x * 2
    return x - 100


traced = torch.jit.trace(f, torch.ones(2))
