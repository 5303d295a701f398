# expect: 8 dtype-mismatch related 7
# why: a product converts nothing
# raises: RuntimeError
import torch

w = torch.ones(3, 2)
x = torch.ones(4, 3, dtype=torch.float64)
y = x @ w
