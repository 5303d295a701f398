# expect: nothing
# why: what is printed and tested is outside of what is compiled
import torch
def f(x):
    return x * 2
fast = torch.compile(f, backend="eager")
y = fast(torch.ones(2))
if y.sum() > 0:
    print("largest", y.max())
