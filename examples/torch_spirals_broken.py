# expect: 33 missing-gradient related 47
"""A network of PyTorch that tells two spirals apart, but for one line."""

import math

import torch
from torch import nn

POINTS, WIDTH, EPOCHS, BATCH = 256, 32, 30, 64


def spirals(points):
    """Points on two spirals and which one each is on; columns 0 and 1 are its place."""
    turn = torch.linspace(0.5, 2.5 * math.pi, points)
    arm = torch.arange(points) % 2
    angle = turn + math.pi * arm
    place = torch.stack([angle.cos() * turn, angle.sin() * turn], dim=1)
    noise = 0.05 * torch.randn(points, 2)
    return place / turn.max() + noise, arm.float()


class Spirals(nn.Module):
    """Two hidden layers with dropout between, and one score."""

    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(2, width), nn.Tanh(), nn.Dropout(0.05), nn.Linear(width, width), nn.Tanh()
        )
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        return self.head(self.body(x).detach()).squeeze(1)


def train(net, x, y, optimizer):
    """One pass over the data in batches; gives the mean loss."""
    criterion = nn.BCEWithLogitsLoss()
    order = torch.randperm(len(x))
    total = 0.0
    net.train()
    for start in range(0, len(x), BATCH):
        chosen = order[start : start + BATCH]
        optimizer.zero_grad()
        score = net(x[chosen])
        loss = criterion(score, y[chosen])
        loss.backward()
        optimizer.step()
        total += loss.item() * len(chosen)
    return total / len(x)


@torch.no_grad()
def accuracy(net, x, y):
    """The part of the points that are told right."""
    net.eval()
    return ((net(x) > 0) == (y > 0.5)).float().mean().item()


def main():
    torch.manual_seed(0)
    x, y = spirals(POINTS)
    net = Spirals(WIDTH)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
    for epoch in range(EPOCHS):
        loss = train(net, x, y, optimizer)
        if epoch % 10 == 9:
            print(f"epoch {epoch + 1}: loss {loss:.3f}, right {accuracy(net, x, y):.3f}")


if __name__ == "__main__":
    main()
