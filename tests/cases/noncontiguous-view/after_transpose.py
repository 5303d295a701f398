# expect: 7 noncontiguous-view
# why: the rows of a transpose are not one after the other
# raises: RuntimeError
import torch

x = torch.randn(3, 4)
flat = x.t().view(-1)
