# expect: nothing
# why: the exception is expected
import torch

try:
    torch.arange(5).mean()
except RuntimeError:
    pass
