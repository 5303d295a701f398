# expect: 13 shape-mismatch related 10
# why: three channels are expected
# raises: RuntimeError
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)

    def forward(self, x):
        return self.conv(x)


out = Net()(torch.randn(2, 1, 28, 28))
