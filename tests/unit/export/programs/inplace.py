"""Writes in place, into a tensor and into views of it."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Linear(6, 8)

    def forward(self, x):
        h = self.one(x)
        h[:, 2:4] = 0.5
        h += x.sum()
        h[0].mul_(2.0)
        h.clamp_(-1.0, 1.0)
        parts = h.view(-1, 2, 4)
        parts[:, 0] += 1
        return h.masked_fill_(h > 0.9, 0.0)


torch.manual_seed(0)
net = Net().eval()
given = (torch.randn(3, 6),)
with torch.no_grad():
    wanted = net.forward(*given)
