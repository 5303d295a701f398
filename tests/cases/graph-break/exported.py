# expect: 7 graph-break related 10
# why: an exported program has one way alone
# raises: RuntimeError
import torch
class Net(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x * 2
        return -x
torch.export.export(Net(), (torch.ones(3),))
