# expect: 8 shape-mismatch
# why: pieces differ in another axis
# raises: RuntimeError
import torch

a = torch.ones(2, 3)
b = torch.ones(2, 4)
both = torch.cat([a, b])
