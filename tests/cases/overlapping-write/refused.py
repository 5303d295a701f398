# expect: 7 overlapping-write related 6
# why: PyTorch refuses to write all rows at once
# raises: RuntimeError
import torch

table = torch.zeros(1, 3).expand(4, 3)
table += 1
