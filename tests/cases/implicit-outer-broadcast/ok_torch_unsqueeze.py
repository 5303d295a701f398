# expect: nothing
# why: the axis was opened on purpose
import torch

a, b = torch.randn(16), torch.randn(16)
table = a.unsqueeze(1) - b
loss = torch.nn.functional.mse_loss(a, b)
