# expect: 13 stale-gradient related 14
# why: the step is a function
# check: net.weight.grad is not None
import torch
from torch import nn

net = nn.Linear(3, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)


def train(x, y):
    loss = (net(x) - y).pow(2).mean()
    loss.backward()
    optimizer.step()


for step in range(4):
    train(torch.ones(2, 3), torch.zeros(2, 1))
