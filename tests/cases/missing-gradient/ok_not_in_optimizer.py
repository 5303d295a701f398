# expect: nothing
# why: the encoder is not to learn
import torch
from torch import nn

encoder, head = nn.Linear(4, 8), nn.Linear(8, 1)
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
features = encoder(torch.randn(16, 4)).detach()
head(features).pow(2).mean().backward()
optimizer.step()
