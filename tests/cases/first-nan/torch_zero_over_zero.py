# expect: 8 first-nan
# why: 0 / 0
# check: torch.isnan(mean).all()
import torch

total = torch.zeros(3)
count = torch.zeros(3)
mean = total / count
