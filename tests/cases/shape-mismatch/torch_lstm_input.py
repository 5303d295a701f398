# expect: 11 shape-mismatch related 8
# why: the layer before gives 16 features
# raises: RuntimeError
import torch
from torch import nn

table = nn.Embedding(100, 16)
lstm = nn.LSTM(32, 8, batch_first=True)
tokens = torch.randint(100, (4, 7))
embedded = table(tokens)
out, state = lstm(embedded)
