# expect: nothing
# why: the gradient of a sum needs no values
import torch

x = torch.randn(5, requires_grad=True)
a = x * 2
b = a + 1
a += 1
b.sum().backward()
