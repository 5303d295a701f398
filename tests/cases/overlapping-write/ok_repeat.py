# expect: nothing
# why: repeat copies
import torch

table = torch.zeros(1, 3).repeat(4, 1)
table[0] = 1
