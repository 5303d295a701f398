# expect: 9 modified-saved-tensor related 7
# why: the write through .data is not counted: the gradient is that of other numbers
# check: (x.grad == 0).all()
import torch

x = torch.ones(3, requires_grad=True)
y = torch.sigmoid(x)
z = (y * 2).sum()
y.data.zero_()
z.backward()
