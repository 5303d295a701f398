# expect: nothing
# why: the gradient of a function at a leaf
import torch

x = torch.tensor(2.0, requires_grad=True)
y = x ** 3
y.backward()
