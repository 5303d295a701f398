# expect: nothing
# why: item() leaves the graph behind
import torch

w = torch.ones(3, requires_grad=True)
total = 0.0
for batch in torch.ones(3, 3):
    loss = (w * batch).sum()
    loss.backward()
    total += loss.item()
