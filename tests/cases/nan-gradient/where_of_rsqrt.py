# expect: 7 nan-gradient related 8
# why: the branch that where leaves out has an infinite derivative
# check: torch.isnan(deg.grad[0])
import torch

deg = torch.tensor([0.0, 4.0, 9.0], requires_grad=True)
inv = torch.where(deg > 0, deg.rsqrt(), torch.ones(3))
inv.sum().backward()
