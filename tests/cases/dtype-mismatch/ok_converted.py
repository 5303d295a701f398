# expect: nothing
# why: converted first
import numpy as np
import torch
from torch import nn

out = nn.Linear(3, 2)(torch.from_numpy(np.ones((4, 3))).float())
