# expect: 8 detached-loss related 10
# why: argmax has no gradient
# raises: RuntimeError at 10
import torch

scores = torch.randn(4, 3, requires_grad=True)
target = torch.tensor([0, 1, 2, 0])
guess = scores.argmax(dim=1)
loss = (guess != target).float().mean()
loss.backward()
