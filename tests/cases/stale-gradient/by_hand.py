# expect: 9 stale-gradient related 11
# why: the update by hand needs it as well
# check: w.grad is not None
import torch

w = torch.ones(3, requires_grad=True)
for step in range(10):
    loss = ((w - 2) ** 2).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
