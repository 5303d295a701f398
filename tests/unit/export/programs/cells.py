"""A recurrent network that takes its steps one by one."""

import torch
from torch import nn


class Cells(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(4, 6)

    def forward(self, xs):
        hidden = torch.zeros(xs.shape[1], 6)
        cell = torch.zeros(xs.shape[1], 6)
        outputs = []
        for x in xs:
            hidden, cell = self.cell(x, (hidden, cell))
            outputs.append(hidden)
        return torch.stack(outputs)


torch.manual_seed(0)
net = Cells().eval()
given = (torch.randn(7, 2, 4),)
with torch.no_grad():
    wanted = net(*given)
