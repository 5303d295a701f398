# expect: 15 missing-gradient related 27
# why: The encoder's features are cut off, in a function that is left before the program ends.
# check: (encoder.weight == before).all()
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(self.encoder(x).detach())


def main():
    torch.manual_seed(0)
    encoder = nn.Linear(4, 8)
    before = encoder.weight.detach().clone()
    net = Net(encoder)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(40):
        optimizer.zero_grad()
        loss = net(torch.randn(16 + step % 2, 4)).pow(2).mean()
        loss.backward()
        optimizer.step()
    return encoder, before


encoder, before = main()
