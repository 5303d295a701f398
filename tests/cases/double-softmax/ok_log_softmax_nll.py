# expect: nothing
# why: logarithms for nll_loss
import torch
import torch.nn.functional as F

loss = F.nll_loss(F.log_softmax(torch.randn(4, 3), dim=1), torch.tensor([0, 1, 2, 0]))
