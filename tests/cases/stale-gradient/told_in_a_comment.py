# expect: 12 stale-gradient related 13
# why: what a comment says sets nothing back
# check: layer.weight.grad is not None
import torch

layer = torch.nn.Linear(3, 1)
optimizer = torch.optim.SGD(layer.parameters(), lr=0.01)
x, y = torch.ones(8, 3), torch.zeros(8, 1)
for step in range(5):
    # TODO: optimizer.zero_grad()
    loss = torch.nn.functional.mse_loss(layer(x), y)
    loss.backward()
    optimizer.step()
