# expect: nothing
# why: one pass for both losses
import torch

x = torch.ones(3, requires_grad=True)
features = torch.exp(x)
(features.sum() + (features ** 2).sum()).backward()
