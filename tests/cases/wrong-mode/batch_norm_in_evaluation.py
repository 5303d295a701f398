# expect: 17 wrong-mode
# why: batch statistics in evaluation
# check: net.training
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(16, 4), torch.randn(16, 1)
optimizer.zero_grad()
nn.functional.mse_loss(net(x), y).backward()
optimizer.step()


@torch.no_grad()
def evaluate(data):
    return net(data).mean()


score = evaluate(x)
