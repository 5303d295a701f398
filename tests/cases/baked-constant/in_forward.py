# expect: 9 baked-constant related 14
# why: a module with a branch
# check: traced(-torch.ones(2)).isnan().all()
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        if not (x > 0).all():
            x = x.abs()
        return x.sqrt()


traced = torch.jit.trace(Net(), torch.ones(2))
