# expect: nothing
# why: moved first
import torch

weights = torch.ones(3, device="meta")
out = torch.ones(3).to(weights.device) + weights
