# expect: nothing
# why: the target is meant to stay
import torch
from torch import nn

net, target_net = nn.Linear(3, 1), nn.Linear(3, 1)
x = torch.ones(2, 3)
goal = target_net(x).detach()
loss = (net(x) - goal).pow(2).mean()
loss.backward()
