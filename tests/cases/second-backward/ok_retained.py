# expect: nothing
# why: the graph is kept
import torch

x = torch.ones(3, requires_grad=True)
loss = (x ** 2).sum()
loss.backward(retain_graph=True)
loss.backward()
