# expect: nothing
# why: a number has no device
import torch

out = torch.ones(3, device="meta") * 2.0
