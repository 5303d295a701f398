# expect: 11 second-backward related 10
# why: h belongs to the graph of the iteration before
# raises: RuntimeError
import torch
from torch import nn

cell = nn.RNNCell(2, 3)
h = torch.zeros(1, 3)
for batch in torch.randn(2, 1, 2):
    h = cell(batch, h)
    h.sum().backward()
