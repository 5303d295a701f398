# expect: nothing
# why: an axis of one row repeats nothing
import torch

row = torch.zeros(1, 3).expand(1, 3)
row[0] = 1
