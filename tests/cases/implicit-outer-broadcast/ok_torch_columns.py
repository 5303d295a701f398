# expect: nothing
# why: both are columns
import torch
import torch.nn.functional as F

loss = F.mse_loss(torch.randn(16, 1), torch.randn(16, 1))
