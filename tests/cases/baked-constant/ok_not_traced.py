# expect: nothing
# why: nothing is traced
import torch

def f(x):
    if x.sum() > 0:
        return x * 2
    return x - 100


y = f(torch.ones(2))
