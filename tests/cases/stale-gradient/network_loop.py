# expect: 12 stale-gradient related 13
# why: nothing sets the gradients back
# check: net.weight.grad is not None
import torch
from torch import nn

net = nn.Linear(3, 1)
optimizer = torch.optim.Adam(net.parameters())
x, y = torch.randn(8, 3), torch.randn(8, 1)
for step in range(10):
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    optimizer.step()
