# expect: 7 nan-gradient related 9
# why: the logarithm of 0 is left out too late
# check: torch.isnan(p.grad[0])
import torch

p = torch.tensor([0.0, 0.5, 0.5], requires_grad=True)
logs = torch.log(p)
entropy = torch.where(p > 0, logs, torch.zeros(3))
entropy.sum().backward()
