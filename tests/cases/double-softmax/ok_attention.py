# expect: nothing
# why: the softmax is of attention, inside
import torch
import torch.nn.functional as F

q, k, v = torch.randn(3, 4, 8)
scores = torch.softmax(q @ k.T, dim=-1) @ v
loss = F.cross_entropy(scores, torch.tensor([0, 1, 2, 0]))
