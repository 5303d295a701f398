# expect: nothing
# why: one way is cut, the other leads there
import torch
from torch import nn

encoder = nn.Linear(4, 1)
optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)
out = encoder(torch.randn(16, 4))
loss = (out - out.detach().mean()).pow(2).mean()
loss.backward()
optimizer.step()
