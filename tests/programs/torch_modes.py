"""What a program sees of no_grad, inference_mode and autocast, and what it may do to them."""

import inspect
import threading

try:
    import torch
    from torch.overrides import TorchFunctionMode
except ImportError:
    raise SystemExit(0) from None

torch.manual_seed(0)
w = torch.randn(3, 3, requires_grad=True)


class Calls(TorchFunctionMode):
    """Every call of PyTorch that the program makes."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        print("called", getattr(function, "__name__", function))
        return function(*args, **(kwargs or {}))


class CountedNoGrad(torch.no_grad):
    entered = 0

    def __enter__(self):
        CountedNoGrad.entered += 1
        super().__enter__()


with Calls():
    a = w * 2
    with torch.no_grad():
        b = w + 1
    with torch.autocast("cpu"):
        c = w @ w
print(a.requires_grad, b.requires_grad, c.dtype)

original, torch.no_grad = torch.no_grad, CountedNoGrad
with torch.no_grad():
    d = w * 3


@torch.no_grad()
def evaluate(x):
    """Its text stays its own."""
    return (x @ w).sum().item()


for _ in range(5):
    evaluate(w)
print(d.requires_grad, CountedNoGrad.entered, evaluate.__name__, evaluate.__doc__)
print(inspect.getsource(evaluate))
torch.no_grad = original


def never(*arguments):
    raise RuntimeError("nobody calls this but the program")


kept = torch.is_grad_enabled, torch.is_autocast_enabled, torch.get_autocast_dtype
torch.is_grad_enabled = torch.is_autocast_enabled = torch.get_autocast_dtype = never
with torch.inference_mode():
    e = w * 4
f = w * 5
torch.is_grad_enabled, torch.is_autocast_enabled, torch.get_autocast_dtype = kept
print(e.is_inference(), f.requires_grad)


@torch.no_grad()
def batches(x):
    for i in range(3):
        yield x[i] * 2


print([part.requires_grad for part in batches(w)], torch.is_grad_enabled())


def work():
    print(torch.is_grad_enabled(), (w * 2).requires_grad)


with torch.no_grad():
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    try:
        with torch.enable_grad():
            w[5]
    except IndexError as error:
        print(error, torch.is_grad_enabled())
torch.set_grad_enabled(False)
print((w * 2).requires_grad)
torch.set_grad_enabled(True)
print((w * 2).requires_grad)
