# expect: 7 dtype-mismatch related 6
# why: integers have no room for fractions
# raises: RuntimeError
import torch

counts = torch.arange(3)
counts += 0.5
