# expect: 9 implicit-outer-broadcast
# why: the network gives a column, the targets are a vector
# check: error.shape == (16, 16)
import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
x, y = torch.randn(16, 3), torch.randn(16)
error = net(x) - y
