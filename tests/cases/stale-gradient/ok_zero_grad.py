# expect: nothing
# why: set back at each step
import torch

w = torch.ones(3, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
for step in range(10):
    optimizer.zero_grad()
    ((w - 2) ** 2).sum().backward()
    optimizer.step()
