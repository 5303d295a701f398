# expect: 8 nan-gradient related 9
# why: the derivative of the root at 0 is infinite
# check: torch.isnan(points.grad).any()
import torch

points = torch.tensor([[1.0, 2.0], [1.0, 2.0]], requires_grad=True)
gap = points[0] - points[1]
distance = (gap * gap).sum().sqrt()
(distance * 0).backward()
