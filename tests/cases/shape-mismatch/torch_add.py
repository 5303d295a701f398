# expect: 8 shape-mismatch
# why: neither size is 1
# raises: RuntimeError
import torch

a = torch.ones(4, 3)
b = torch.ones(4)
c = a + b
