# expect: nothing
# why: None is as good as zeros
import torch

w = torch.ones(3, requires_grad=True)
for step in range(10):
    ((w - 2) ** 2).sum().backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
