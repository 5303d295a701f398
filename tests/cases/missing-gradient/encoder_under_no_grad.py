# expect: 10 missing-gradient related 12
# why: no graph is kept of the encoder
# check: encoder.weight.grad is None
import torch
from torch import nn

encoder, head = nn.Linear(4, 8), nn.Linear(8, 1)
optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)
with torch.no_grad():
    features = encoder(torch.randn(16, 4))
loss = head(features).pow(2).mean()
loss.backward()
optimizer.step()
