# expect: nothing
# why: the number is for people
import torch

w = torch.ones(3, requires_grad=True)
loss = ((w - 2) ** 2).sum()
loss.backward()
history = [loss.item()]
shown = torch.tensor(history)
