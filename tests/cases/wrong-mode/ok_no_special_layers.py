# expect: nothing
# why: no layer knows two modes
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(16, 4), torch.randn(16, 1)
optimizer.zero_grad()
nn.functional.mse_loss(net(x), y).backward()
optimizer.step()
with torch.no_grad():
    error = nn.functional.mse_loss(net(x), y)
