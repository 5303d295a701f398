"""Convolutions over three dimensions, there and back."""

import torch
from torch import nn


class Volumes(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm3d(2)
        self.down = nn.Conv3d(2, 6, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose3d(6, 4, 3, stride=2, padding=1, output_padding=1, groups=2)
        self.wide = nn.ConvTranspose2d(4, 2, (2, 1), dilation=2)

    def forward(self, x):
        x = torch.relu(self.up(self.down(self.norm(x))))
        return self.wide(x[:, :, 0])


torch.manual_seed(0)
net = Volumes().eval()
given = (torch.randn(2, 2, 4, 6, 4),)
with torch.no_grad():
    wanted = net(*given)
