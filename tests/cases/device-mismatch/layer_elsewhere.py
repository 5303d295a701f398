# expect: 9 device-mismatch related 8
# why: the layer is elsewhere
# raises: RuntimeError
import torch
from torch import nn

layer = nn.Linear(3, 3, device="meta")
batch = torch.ones(2, 3)
out = layer(batch)
