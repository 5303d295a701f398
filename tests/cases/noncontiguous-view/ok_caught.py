# expect: nothing
# why: the exception is expected
import torch

x = torch.randn(3, 4).t()
try:
    flat = x.view(-1)
except RuntimeError:
    flat = x.reshape(-1)
