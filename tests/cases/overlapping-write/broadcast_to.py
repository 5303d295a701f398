# expect: 8 overlapping-write related 7
# why: broadcast_to repeats as expand does
# check: (start == 1).all()
import torch

start = torch.zeros(3)
grid = torch.broadcast_to(start, (4, 3))
grid[2] = torch.ones(3)
