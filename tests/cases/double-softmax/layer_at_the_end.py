# expect: 10 double-softmax related 9
# why: the network ends in a softmax
# check: (out.sum(dim=1) - 1).abs().max() < 1e-5
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=1))
criterion = nn.CrossEntropyLoss()
out = net(torch.randn(5, 4))
loss = criterion(out, torch.zeros(5, dtype=torch.long))
