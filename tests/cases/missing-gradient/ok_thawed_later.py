# expect: nothing
# why: What is frozen at first learns in the passes that follow, which begin like the first ones.
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(4, 8)
        self.body = nn.Sequential(nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh())
        self.head = nn.Linear(8, 1)
        self.frozen = True

    def forward(self, x):
        h = self.encoder(x)
        if self.frozen:
            h = h.detach()
        return self.head(self.body(h))


def main():
    torch.manual_seed(0)
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(40):
        net.frozen = epoch < 20
        optimizer.zero_grad()
        net(torch.randn(16, 4)).pow(2).mean().backward()
        optimizer.step()
    print(net.encoder.weight.grad is not None)


main()
