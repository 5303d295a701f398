# expect: nothing
# why: the tensor that is shown is written itself, before
import torch

bias = torch.tensor([1.0, 2.0])
bias[0] = 5
table = bias.expand(3, 2)
