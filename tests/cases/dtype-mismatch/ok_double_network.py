# expect: nothing
# why: all is float64
import torch
from torch import nn

out = nn.Linear(3, 2).double()(torch.ones(4, 3, dtype=torch.float64))
