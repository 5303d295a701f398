# expect: nothing
# why: the accuracy is for people
import torch
from torch import nn

net = nn.Linear(4, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
target = torch.randint(3, (16,))
scores = net(torch.randn(16, 4))
accuracy = (scores.argmax(dim=1) == target).float().mean()
nn.functional.cross_entropy(scores, target).backward()
optimizer.step()
