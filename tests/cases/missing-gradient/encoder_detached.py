# expect: 9 missing-gradient related 11
# why: detach cuts the encoder off
# check: encoder.weight.grad is None
import torch
from torch import nn

encoder, head = nn.Linear(4, 8), nn.Linear(8, 1)
optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)
features = encoder(torch.randn(16, 4)).detach()
loss = head(features).pow(2).mean()
loss.backward()
optimizer.step()
