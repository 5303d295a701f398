# expect: 7 baked-constant related 12
# why: as many rounds as for the example
# check: traced(torch.full((2,), 300.0)).norm() > 1
import torch

def f(x):
    while x.norm() > 1:
        x = x / 2
    return x


traced = torch.jit.trace(f, torch.full((2,), 3.0))
