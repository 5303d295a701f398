# expect: nothing
# why: initialisers turn gradients off themselves
import torch
from torch import nn

layer = nn.Linear(3, 2)
nn.init.zeros_(layer.bias)
