# expect: 9 dtype-mismatch related 7
# why: an index is a whole number
# raises: RuntimeError
import torch
from torch import nn

table = nn.Embedding(5, 2)
ids = torch.tensor([0.0, 3.0])
rows = table(ids)
