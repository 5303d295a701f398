# expect: 14 device-mismatch related 13
# why: forward makes a tensor without device=
# raises: RuntimeError
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(3, device="meta"))

    def forward(self, x):
        noise = torch.ones(3)
        return noise * self.scale


net = Net()
out = net(torch.ones(2, 3, device="meta"))
