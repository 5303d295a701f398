# expect: 9 shape-mismatch
# why: predictions and targets differ in number
# raises: ValueError
import torch
import torch.nn.functional as F

scores = torch.randn(4, 3)
target = torch.tensor([0, 1, 2])
loss = F.cross_entropy(scores, target)
