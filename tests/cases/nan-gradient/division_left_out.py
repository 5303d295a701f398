# expect: 7 nan-gradient related 8
# why: x / x is left out where x is 0, but its derivative is not
# check: torch.isnan(x.grad[0])
import torch

x = torch.tensor([0.0, 2.0], requires_grad=True)
ratio = 1 / x
torch.where(x != 0, ratio, torch.zeros(2)).sum().backward()
