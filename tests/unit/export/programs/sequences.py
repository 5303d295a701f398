"""A recurrent network over tokens: two layers, both directions."""

import torch
from torch import nn


class Sequences(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(50, 12)
        self.lstm = nn.LSTM(12, 20, num_layers=2, batch_first=True, bidirectional=True)
        self.out = nn.Linear(40, 5)

    def forward(self, tokens):
        states, _ = self.lstm(self.table(tokens))
        return self.out(states[:, -1])


torch.manual_seed(0)
net = Sequences().eval()
given = (torch.randint(0, 50, (3, 7)),)
with torch.no_grad():
    wanted = net(*given)
