# expect: 17 double-softmax related 13
# why: forward ends in a softmax
# check: (p.sum(dim=1) - 1).abs().max() < 1e-5
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(4, 3)

    def forward(self, x):
        return self.out(x).softmax(dim=-1)


p = Net()(torch.randn(5, 4))
loss = nn.functional.cross_entropy(p, torch.zeros(5, dtype=torch.long))
