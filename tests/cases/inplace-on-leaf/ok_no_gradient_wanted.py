# expect: nothing
# why: a tensor that requires none may be written
import torch

p = torch.ones(3)
p -= 0.1
p.requires_grad_()
