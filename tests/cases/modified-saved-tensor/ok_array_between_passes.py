# expect: nothing
# why: the array changes when the pass that kept it is over
import numpy as np
import torch

w = torch.ones(3, requires_grad=True)
a = np.ones(3, dtype=np.float32)
for turn in range(3):
    y = (w * torch.from_numpy(a)).sum()
    y.backward()
    a += 1
    w.grad = None
print(w.sum())
