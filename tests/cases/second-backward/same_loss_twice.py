# expect: 9 second-backward related 8
# why: the graph is freed by the first pass
# raises: RuntimeError
import torch

x = torch.ones(3, requires_grad=True)
loss = (x ** 2).sum()
loss.backward()
loss.backward()
