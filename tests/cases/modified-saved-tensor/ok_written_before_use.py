# expect: nothing
# why: it is changed before anything keeps it
import torch

x = torch.randn(5, requires_grad=True)
a = x * 2
a += 1
(a * a).sum().backward()
