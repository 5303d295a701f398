# expect: nothing
# why: each network learns in its turn
import torch
from torch import nn

maker, judge = nn.Linear(2, 3), nn.Linear(3, 1)
both = torch.optim.SGD([*maker.parameters(), *judge.parameters()], lr=0.1)
for turn in range(2):
    both.zero_grad()
    fake = maker(torch.randn(8, 2))
    loss = judge(fake.detach() if turn == 0 else fake).mean()
    loss.backward()
    both.step()
