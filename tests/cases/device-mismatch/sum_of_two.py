# expect: 8 device-mismatch related 6
# why: one tensor has no memory here
# raises: RuntimeError
import torch

weights = torch.ones(3, 2, device="meta")
batch = torch.ones(3, 2)
scores = batch + weights
