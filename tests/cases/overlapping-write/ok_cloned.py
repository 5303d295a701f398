# expect: nothing
# why: clone gives memory of its own
import torch

mask = torch.tril(torch.ones(4, 4)).expand(2, 4, 4).clone()
mask[0] = 0
