# expect: nothing
# why: it is only read
import torch

bias = torch.tensor([1.0, 2.0]).expand(3, 2)
total = (bias + 1).sum()
