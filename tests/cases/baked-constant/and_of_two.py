# expect: 7 baked-constant related 12
# why: the first of two tests decides for ever
# check: traced(torch.full((2,), 4.0)).max() == 4
import torch

def f(x, flag=True):
    if flag and x.max() > 1:
        return x / x.max()
    return x


traced = torch.jit.trace(f, torch.ones(2))
