# expect: nothing
# why: data is the usual way of old
import torch

p = torch.ones(3, requires_grad=True)
(p ** 2).sum().backward()
p.data -= 0.1 * p.grad
