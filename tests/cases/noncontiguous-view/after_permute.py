# expect: 8 noncontiguous-view related 7
# why: axes 1 and 2 do not follow each other in memory
# raises: RuntimeError
import torch

x = torch.randn(2, 3, 4)
y = x.permute(0, 2, 1)
flat = y.view(2, -1)
