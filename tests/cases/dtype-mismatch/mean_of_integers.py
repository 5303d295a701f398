# expect: 7 dtype-mismatch related 6
# why: a mean of integers is no integer
# raises: RuntimeError
import torch

counts = torch.arange(5)
average = counts.mean()
