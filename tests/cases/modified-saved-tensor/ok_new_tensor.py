# expect: nothing
# why: + gives a new tensor
import torch

x = torch.randn(5, requires_grad=True)
gate = torch.sigmoid(x)
out = (gate * x).sum()
gate = gate + 0.1
out.backward()
