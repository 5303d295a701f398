# expect: 10 detached-loss
# why: the mean is of numbers, not of tensors
# check: w.grad is None
import torch

w = torch.ones(3, requires_grad=True)
losses = [((w - k) ** 2).sum().item() for k in range(3)]
loss = torch.tensor(losses, requires_grad=True).mean()
probe = (w * 2).sum()
final = torch.tensor(float(loss), requires_grad=True)
final.backward()
