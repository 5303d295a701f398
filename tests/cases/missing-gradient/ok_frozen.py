# expect: nothing
# why: requires_grad_(False) says so
import torch
from torch import nn

encoder, head = nn.Linear(4, 8), nn.Linear(8, 1)
encoder.requires_grad_(False)
optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)
with torch.no_grad():
    features = encoder(torch.randn(16, 4))
head(features).pow(2).mean().backward()
optimizer.step()
