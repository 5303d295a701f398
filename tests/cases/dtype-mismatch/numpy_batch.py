# expect: 10 dtype-mismatch related 8
# why: an array of NumPy is float64
# raises: RuntimeError
import numpy as np
import torch
from torch import nn

net = nn.Linear(3, 2)
batch = torch.from_numpy(np.ones((4, 3)))
out = net(batch)
