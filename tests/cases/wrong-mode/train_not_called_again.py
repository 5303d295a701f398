# expect: 13 wrong-mode related 16
# why: eval() holds until train() is called
# check: not net.training
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(16, 4), torch.randn(16, 1)

for epoch in range(3):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    optimizer.step()
    net.eval()
    with torch.no_grad():
        error = nn.functional.mse_loss(net(x), y)
