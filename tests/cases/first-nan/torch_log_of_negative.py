# expect: 7 first-nan
# why: the logarithm of a negative number
# check: torch.isnan(z)
import torch

x = torch.tensor([1.0, -1.0, 2.0])
y = torch.log(x)
z = y.sum()
