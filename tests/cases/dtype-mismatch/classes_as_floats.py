# expect: 9 dtype-mismatch related 8
# why: classes are whole numbers
# raises: RuntimeError
import torch
import torch.nn.functional as F

scores = torch.ones(2, 3)
target = torch.tensor([0.0, 1.0])
loss = F.cross_entropy(scores, target)
