# expect: nothing
# why: a look before training
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(16, 4), torch.randn(16, 1)

with torch.no_grad():
    before = nn.functional.mse_loss(net(x), y)
optimizer.zero_grad()
nn.functional.mse_loss(net(x), y).backward()
optimizer.step()
