# expect: 9 double-softmax related 8
# why: the loss applies the sigmoid itself
# check: p.min() > 0
import torch
from torch import nn

net = nn.Linear(4, 1)
p = torch.sigmoid(net(torch.randn(5, 4)))
loss = nn.BCEWithLogitsLoss()(p, torch.ones(5, 1))
