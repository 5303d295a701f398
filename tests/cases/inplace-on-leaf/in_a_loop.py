# expect: 10 inplace-on-leaf
# why: the update is part of the graph of the next step
# raises: RuntimeError
import torch

w = torch.ones(2, requires_grad=True)
for step in range(3):
    loss = (w ** 2).sum()
    loss.backward()
    w.sub_(0.1 * w.grad)
