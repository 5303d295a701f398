# expect: nothing
# why: the value is chosen before the root
import torch

x = torch.tensor([0.0, 4.0], requires_grad=True)
safe = torch.where(x > 0, x, torch.ones(2))
torch.where(x > 0, safe.rsqrt(), torch.zeros(2)).sum().backward()
