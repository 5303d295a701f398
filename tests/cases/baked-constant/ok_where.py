# expect: nothing
# why: where is an operation
import torch

def f(x):
    return torch.where(x.sum() > 0, x * 2, x - 100)


traced = torch.jit.trace(f, torch.ones(2))
