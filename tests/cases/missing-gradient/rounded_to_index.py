# expect: 10 missing-gradient related 12
# why: whole numbers have no gradient
# check: scorer.weight.grad is None
import torch
from torch import nn

scorer, table = nn.Linear(4, 1), nn.Embedding(10, 3)
optimizer = torch.optim.SGD([*scorer.parameters(), *table.parameters()], lr=0.1)
scores = scorer(torch.randn(16, 4)).sigmoid() * 9
index = scores.long()
loss = table(index).pow(2).mean()
loss.backward()
optimizer.step()
