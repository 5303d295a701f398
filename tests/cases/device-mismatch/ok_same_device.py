# expect: nothing
# why: all on one device
import torch

out = torch.ones(3, device="meta") + torch.ones(3, device="meta")
