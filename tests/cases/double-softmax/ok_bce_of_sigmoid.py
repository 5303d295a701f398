# expect: nothing
# why: binary_cross_entropy takes probabilities
import torch
import torch.nn.functional as F

loss = F.binary_cross_entropy(torch.sigmoid(torch.randn(4)), torch.ones(4))
