# expect: 8 noncontiguous-view related 7
# why: a slice of columns has gaps
# raises: RuntimeError
import torch

x = torch.randn(4, 6)
left = x[:, :3]
flat = left.view(-1)
