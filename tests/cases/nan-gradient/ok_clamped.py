# expect: nothing
# why: kept away from 0
import torch

deg = torch.tensor([0.0, 4.0, 9.0], requires_grad=True)
inv = torch.where(deg > 0, deg.clamp(min=1e-12).rsqrt(), torch.ones(3))
inv.sum().backward()
