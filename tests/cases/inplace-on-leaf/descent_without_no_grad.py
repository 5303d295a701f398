# expect: 8 inplace-on-leaf related 6
# why: p is a leaf that requires grad
# raises: RuntimeError
import torch

p = torch.ones(3, requires_grad=True)
(p ** 2).sum().backward()
p -= 0.1 * p.grad
