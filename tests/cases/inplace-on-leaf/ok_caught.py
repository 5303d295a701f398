# expect: nothing
# why: the exception is expected
import torch

p = torch.ones(3, requires_grad=True)
try:
    p += 1
except RuntimeError:
    pass
