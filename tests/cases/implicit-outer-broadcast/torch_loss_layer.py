# expect: 10 implicit-outer-broadcast
# why: the same by a loss that is a layer
# check: loss.item() != ((net(x)[:, 0] - y) ** 2).mean().item()
import torch
from torch import nn

net = nn.Linear(3, 1)
criterion = nn.MSELoss()
x, y = torch.randn(16, 3), torch.randn(16)
loss = criterion(net(x), y)
