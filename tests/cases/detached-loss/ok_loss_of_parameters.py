# expect: nothing
# why: the loss leads to w
import torch

w = torch.ones(3, requires_grad=True)
loss = ((w - 2) ** 2).sum()
loss.backward()
