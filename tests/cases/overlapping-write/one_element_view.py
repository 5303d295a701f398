# expect: 8 overlapping-write related 6
# why: the row of a repeated row
# check: (weights == 2).all()
import torch

weights = torch.ones(1, 3).expand(5, 3)
row = weights[0]
row.mul_(2)
