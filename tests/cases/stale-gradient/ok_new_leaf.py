# expect: nothing
# why: each step has a new leaf
import torch

w = torch.ones(3)
for step in range(10):
    p = w.clone().requires_grad_()
    ((p - 2) ** 2).sum().backward()
    w = w - 0.1 * p.grad
