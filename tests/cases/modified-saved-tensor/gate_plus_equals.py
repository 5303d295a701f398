# expect: 9 modified-saved-tensor related 8
# why: mul kept gate, which += changes
# raises: RuntimeError at 10
import torch

x = torch.randn(5, requires_grad=True)
gate = torch.sigmoid(x)
out = (gate * x).sum()
gate += 0.1
out.backward()
