# expect: 12 modified-saved-tensor related 9
# why: the second loss was computed with the weights of before the step
# raises: RuntimeError at 13
import torch
from torch import nn

f = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 1))
optimizer = torch.optim.SGD(f.parameters(), lr=0.1)
out = f(torch.randn(2, 3))
optimizer.zero_grad()
out.sum().backward(retain_graph=True)
optimizer.step()
out.pow(2).sum().backward()
