# expect: nothing
# why: converted before the mean
import torch

average = torch.arange(5).float().mean()
