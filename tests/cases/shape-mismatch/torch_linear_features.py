# expect: 9 shape-mismatch related 8
# why: the layer is made for 49 features and gets 490
# raises: RuntimeError
import torch
from torch import nn

feat = torch.randn(8, 10, 7, 7)
head = nn.Sequential(nn.Flatten(), nn.Linear(7 * 7, 4))
out = head(feat)
