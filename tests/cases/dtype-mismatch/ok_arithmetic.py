# expect: nothing
# why: arithmetic converts
import torch

y = torch.ones(3) + torch.ones(3, dtype=torch.float64)
