# expect: 7 graph-break related 11
# why: one graph is asked for, and a branch needs two
# raises: RuntimeError at 11
import torch
def f(x):
    y = x * 2
    if y.mean() > 0:
        return y
    return -y
whole = torch.compile(f, backend="eager", fullgraph=True)
whole(torch.ones(3))
