# expect: 10 modified-saved-tensor related 8
# why: the array by numpy() is the same memory, and PyTorch does not see its writes
# check: (x.grad == 5).all()
import torch

scale = torch.ones(3)
x = torch.ones(3, requires_grad=True)
loss = (x * scale).sum()
numbers = scale.numpy()
numbers *= 5
loss.backward()
