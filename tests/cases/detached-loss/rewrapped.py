# expect: 8 detached-loss
# why: a tensor made of a number begins a new graph
# check: w.grad is None
import torch

w = torch.ones(3, requires_grad=True)
raw = ((w - 2) ** 2).sum()
loss = torch.tensor(raw.item(), requires_grad=True)
loss.backward()
