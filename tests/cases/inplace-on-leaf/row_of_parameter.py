# expect: 8 inplace-on-leaf related 7
# why: w[0] is a view of a leaf
# raises: RuntimeError
import torch
from torch import nn

w = nn.Parameter(torch.ones(2, 3))
w[0] = 0
