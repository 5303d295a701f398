# expect: nothing
# why: the gradient was computed before
import torch

x = torch.randn(5, requires_grad=True)
gate = torch.sigmoid(x)
(gate * 3).sum().backward()
with torch.no_grad():
    gate += 0.1
