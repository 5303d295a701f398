# expect: 7 baked-constant related 10
# why: the choice is that of the example
# check: torch.equal(traced(-torch.ones(2)), -2 * torch.ones(2))
import torch

def f(x):
    return x * 2 if x.mean() > 0 else x - 1


traced = torch.jit.trace(f, torch.ones(2))
