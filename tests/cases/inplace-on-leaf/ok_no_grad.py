# expect: nothing
# why: under no_grad it may be written
import torch

p = torch.ones(3, requires_grad=True)
(p ** 2).sum().backward()
with torch.no_grad():
    p -= 0.1 * p.grad
