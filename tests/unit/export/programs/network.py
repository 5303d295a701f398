"""A perceptron with a normalised layer."""

import torch
from torch import nn


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 16)
        self.norm = nn.BatchNorm1d(16)
        self.last = nn.Linear(16, 3)

    def forward(self, x):
        hidden = torch.relu(self.norm(self.first(x)))
        return self.last(hidden)


torch.manual_seed(0)
net = Network()
for _ in range(3):
    net(torch.randn(32, 8))  # moves the statistics away from 0 and 1
net.eval()
given = (torch.randn(4, 8),)
with torch.no_grad():
    wanted = net(*given)
