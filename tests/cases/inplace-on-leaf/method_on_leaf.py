# expect: 7 inplace-on-leaf related 6
# why: clamp_ writes into the leaf
# raises: RuntimeError
import torch

w = torch.randn(3, requires_grad=True)
w.clamp_(-1, 1)
