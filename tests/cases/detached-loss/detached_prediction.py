# expect: 8 detached-loss related 10
# why: detach cuts the graph
# raises: RuntimeError at 10
import torch
from torch import nn

net = nn.Linear(3, 1)
prediction = net(torch.ones(2, 3)).detach()
loss = prediction.pow(2).mean()
loss.backward()
