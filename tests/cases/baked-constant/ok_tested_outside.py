# expect: nothing
# why: the test is of what the traced function gave
import torch

def f(x):
    return x * 2


traced = torch.jit.trace(f, torch.ones(2))
if traced(torch.ones(2)).sum() > 0:
    answer = True
