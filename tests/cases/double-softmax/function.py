# expect: 10 double-softmax related 9
# why: cross_entropy applies softmax itself
# check: loss != F.cross_entropy(scores, target)
import torch
import torch.nn.functional as F

scores = torch.randn(4, 3)
target = torch.tensor([0, 1, 2, 0])
probabilities = torch.softmax(scores, dim=1)
loss = F.cross_entropy(probabilities, target)
