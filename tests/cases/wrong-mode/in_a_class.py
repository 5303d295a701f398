# expect: 23 wrong-mode
# why: the same in a class of its own
# check: net.training
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.drop, self.last = nn.Linear(4, 8), nn.Dropout(0.3), nn.Linear(8, 1)

    def forward(self, x):
        return self.last(self.drop(self.first(x).relu()))


net = Net()
optimizer = torch.optim.Adam(net.parameters())
x, y = torch.randn(16, 4), torch.randn(16, 1)
optimizer.zero_grad()
(net(x) - y).pow(2).mean().backward()
optimizer.step()
with torch.inference_mode():
    guess = net(x)
