# expect: 8 double-softmax related 7
# why: nll_loss takes logarithms
# check: loss < 0
import torch
import torch.nn.functional as F

p = F.softmax(torch.randn(4, 3), dim=1)
loss = F.nll_loss(p, torch.tensor([0, 1, 2, 0]))
