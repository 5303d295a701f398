# expect: nothing
# why: these axes follow each other
import torch

x = torch.randn(2, 3, 4)[:, 1:]
flat = x.view(2, 8)
