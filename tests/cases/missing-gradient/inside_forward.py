# expect: 14 missing-gradient related 19
# why: the forward pass cuts its own first layer off
# check: net.first.weight.grad is None
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 8), nn.Linear(8, 1)

    def forward(self, x):
        h = self.first(x).relu()
        return self.second(h.detach())


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net(torch.randn(16, 4)).pow(2).mean().backward()
optimizer.step()
