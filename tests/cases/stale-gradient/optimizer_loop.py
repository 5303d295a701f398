# expect: 10 stale-gradient related 11
# why: nothing sets the gradients back
# check: (w.grad.abs() > 1e-3).all()
import torch

w = torch.ones(3, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
for step in range(10):
    loss = ((w - 2) ** 2).sum()
    loss.backward()
    optimizer.step()
