# expect: 8 shape-mismatch
# why: inner sizes differ
# raises: RuntimeError
import torch

w = torch.randn(5, 4)
x = torch.randn(3, 4)
y = x @ w
