# expect: 12 modified-saved-tensor related 10
# why: each step kept a row of states, and the next writes another row of it
# raises: RuntimeError at 13
import torch

w = torch.randn(3, 3, requires_grad=True)
states = torch.zeros(4, 3)
loss = 0
for t in range(3):
    h = torch.tanh(states[t] @ w)
    loss = loss + (h * h).sum()
    states[t + 1] = h
loss.backward()
