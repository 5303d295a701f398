# expect: nothing
# why: a tensor of one number goes anywhere
import torch

out = torch.ones(3, device="meta") * torch.tensor(2.0)
