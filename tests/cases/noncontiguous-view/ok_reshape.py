# expect: nothing
# why: reshape copies where it must
import torch

x = torch.randn(2, 3, 4).permute(0, 2, 1)
flat = x.reshape(2, -1)
