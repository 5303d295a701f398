# expect: nothing
# why: scores as they are
import torch
import torch.nn.functional as F

loss = F.cross_entropy(torch.randn(4, 3), torch.tensor([0, 1, 2, 0]))
