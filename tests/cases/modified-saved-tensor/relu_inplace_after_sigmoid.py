# expect: 8 modified-saved-tensor
# why: the sigmoid kept its result, and the next layer writes into it
# raises: RuntimeError at 9
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 4), nn.Sigmoid(), nn.ReLU(inplace=True), nn.Linear(4, 1))
loss = net(torch.randn(2, 4)).sum()
loss.backward()
