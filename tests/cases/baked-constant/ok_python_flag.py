# expect: nothing
# why: the test is of a Python value
import torch

def make(double):
    def f(x):
        return x * 2 if double else x
    return torch.jit.trace(f, torch.ones(2))


traced = make(True)
