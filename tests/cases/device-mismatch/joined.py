# expect: 8 device-mismatch related 7
# why: the pieces are on two devices
# raises: RuntimeError
import torch

a = torch.ones(3)
b = torch.ones(3, device="meta")
both = torch.cat([a, b])
