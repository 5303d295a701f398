# expect: 8 overlapping-write related 7
# why: all rows are the bias
# check: bias[0] == 10
import torch

bias = torch.tensor([1.0, 2.0])
table = bias.expand(3, 2)
table[1] *= 10
