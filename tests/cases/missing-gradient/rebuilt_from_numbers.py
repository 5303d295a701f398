# expect: 10 missing-gradient related 12
# why: a tensor made of a list begins a new graph
# check: encoder.weight.grad is None
import torch
from torch import nn

encoder, head = nn.Linear(4, 8), nn.Linear(8, 1)
optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)
hidden = encoder(torch.randn(16, 4))
features = torch.as_tensor(hidden.detach().numpy())
loss = head(features).pow(2).mean()
loss.backward()
optimizer.step()
