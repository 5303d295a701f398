# expect: nothing
# why: an axis of one fits
import torch

c = torch.ones(4, 3) + torch.ones(4, 1)
d = torch.ones(2, 4, 3) @ torch.ones(3, 5)
