# expect: nothing
# why: the state goes on without its graph
import torch
from torch import nn

cell = nn.RNNCell(2, 3)
h = torch.zeros(1, 3)
for batch in torch.randn(3, 1, 2):
    h = cell(batch, h.detach())
    h.sum().backward()
