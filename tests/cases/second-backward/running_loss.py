# expect: 10 second-backward related 9
# why: total takes the graphs of all batches along
# raises: RuntimeError
import torch

w = torch.ones(3, requires_grad=True)
total = torch.zeros(())
for batch in torch.ones(3, 3):
    total = total + torch.exp(w * batch).sum()
    total.backward()
