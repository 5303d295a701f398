# expect: nothing
# why: there is one step only
import torch

w = torch.ones(3, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
((w - 2) ** 2).sum().backward()
((w + 2) ** 2).sum().backward()
optimizer.step()
