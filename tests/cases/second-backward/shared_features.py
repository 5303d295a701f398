# expect: 11 second-backward related 10
# why: both losses need the features, whose graph the first pass frees
# raises: RuntimeError
import torch

x = torch.ones(3, requires_grad=True)
features = torch.exp(x)
one = (features ** 2).sum()
one.backward()
two = (features ** 3).sum()
two.backward()
