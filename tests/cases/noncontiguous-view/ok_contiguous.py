# expect: nothing
# why: contiguous copies first
import torch

x = torch.randn(2, 3, 4).permute(0, 2, 1).contiguous()
flat = x.view(2, -1)
