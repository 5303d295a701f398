# expect: 10 modified-saved-tensor related 8
# why: the product kept w, which the update changes
# raises: RuntimeError at 11
import torch

w = torch.randn(3, requires_grad=True)
x = torch.randn(3, requires_grad=True)
loss = (w * x).sum()
with torch.no_grad():
    w -= 0.1
loss.backward()
