# expect: 9 modified-saved-tensor related 7
# why: exp kept its result, and row is a view of it
# raises: RuntimeError at 10
import torch

a = torch.randn(4, 4, requires_grad=True)
h = torch.exp(a)
row = h[0]
row.zero_()
h.sum().backward()
