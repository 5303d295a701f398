# expect: 9 implicit-outer-broadcast
# why: input (16, 1) and target (16,) broadcast to (16, 16)
# check: abs(loss.item() - ((pred[:, 0] - y) ** 2).mean().item()) > 1e-3
import torch
import torch.nn.functional as F

pred = torch.randn(16, 1)
y = torch.randn(16)
loss = F.mse_loss(pred, y)
