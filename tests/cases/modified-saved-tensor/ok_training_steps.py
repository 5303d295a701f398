# expect: nothing
# why: each step has a graph of its own
import torch
from torch import nn

f = nn.Sequential(nn.Linear(3, 3), nn.ReLU(inplace=True), nn.Linear(3, 1))
optimizer = torch.optim.SGD(f.parameters(), lr=0.1)
for step in range(5):
    optimizer.zero_grad()
    f(torch.ones(2, 3)).sum().backward()
    optimizer.step()
