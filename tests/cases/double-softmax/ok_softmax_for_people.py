# expect: nothing
# why: the probabilities are for people
import torch
import torch.nn.functional as F

scores = torch.randn(4, 3)
loss = F.cross_entropy(scores, torch.tensor([0, 1, 2, 0]))
p = scores.softmax(dim=1)
