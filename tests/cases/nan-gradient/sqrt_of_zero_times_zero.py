# expect: 8 nan-gradient related 9
# why: sqrt has an infinite derivative at 0
# check: torch.isnan(x.grad[0])
import torch

x = torch.tensor([0.0, 1.0], requires_grad=True)
mask = torch.tensor([0.0, 1.0])
y = x.sqrt()
(y * mask).sum().backward()
