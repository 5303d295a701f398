# expect: 10 modified-saved-tensor related 9
# why: the tensor shows the memory of the array, and the product kept it
# check: w.grad.tolist() == [6.0, 6.0, 6.0]
import numpy as np
import torch

w = torch.ones(3, requires_grad=True)
a = np.ones(3, dtype=np.float32)
y = (w * torch.from_numpy(a)).sum()
a += 5
y.backward()
