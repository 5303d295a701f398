# expect: 9 detached-loss related 11
# why: under no_grad no graph is kept
# raises: RuntimeError at 11
import torch
from torch import nn

net = nn.Linear(3, 1)
with torch.no_grad():
    out = net(torch.ones(2, 3))
loss = out.pow(2).mean()
loss.backward()
