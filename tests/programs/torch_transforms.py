"""What takes PyTorch's functions and layers apart: compilers, tracers, transforms, regions."""

import traceback

import torch
from torch import fx, nn


class Doubled(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x):
        hidden = self.layer(x)
        return hidden * 2


def scaled(x, y):
    z = x * y + 1
    if z.shape[0] > 2:
        z = z.relu()
    return z.sum()


def shifted(x):
    y = x * 2
    return y + 1


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
print(scaled(torch.ones(3), torch.arange(3.0)))
print(torch.jit.script(shifted)(torch.ones(2)))
print(torch.jit.script(Doubled())(torch.ones(1, 3)).shape)
print(torch.jit.trace(net, torch.ones(1, 3))(torch.ones(2, 3)).shape)
print(fx.symbolic_trace(Doubled()).code)
print(torch.func.grad(lambda a: (a * a).sum())(torch.ones(3)))
print(torch.func.vmap(lambda a: a * 2)(torch.ones(3, 2)))
print(torch.func.jacrev(lambda x: x**2)(torch.arange(3.0)))
with torch.inference_mode():
    print(net(torch.ones(1, 3)).shape)
with torch.autocast("cpu", dtype=torch.bfloat16):
    print(net(torch.ones(1, 3)).dtype)
print(torch.ones(2, 2).to_sparse())
try:
    net(torch.ones(2, 5))
except RuntimeError:
    traceback.print_exc()
print(torch.compile(scaled, backend="eager", fullgraph=True)(torch.ones(3), torch.arange(3.0)))
print(torch.compile(net, backend="eager", fullgraph=True)(torch.ones(2, 3)).shape)
print(torch.compile(Doubled(), backend="eager", fullgraph=True)(torch.ones(2, 3)).shape)
print(torch.export.export(Doubled(), (torch.ones(2, 3),)).graph_signature.user_outputs)
print(shifted(torch.ones(2)), scaled(torch.ones(3), torch.arange(3.0)))
