# expect: 7 overlapping-write related 6
# why: both matrices are one memory
# check: mask[1].sum() == 0
import torch

mask = torch.tril(torch.ones(4, 4)).expand(2, 4, 4)
mask[0] = 0
