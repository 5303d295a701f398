# expect: 7 shape-mismatch related 5
# why: attention over 8 features is given 16
# raises: AssertionError
import torch
attention = torch.nn.MultiheadAttention(8, 2, batch_first=True)
q = torch.randn(2, 5, 16)
attention(q, q, q)
