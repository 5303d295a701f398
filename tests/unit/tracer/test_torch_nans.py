"""Whether a tensor holds a NaN is found wherever its memory can be read, and nowhere else."""

import pytest
from with_torch import need_torch

need_torch()
import torch  # noqa: E402

from jit_lsp.tracer.frontends import torch as frontend  # noqa: E402
from jit_lsp.tracer.recorder import Recorder  # noqa: E402

TYPES = ("float16", "bfloat16", "float32", "float64", "complex64", "complex128")
LAYOUTS = {
    "plain": lambda x: x,
    "transposed": lambda x: x.T,
    "a row": lambda x: x[1],
    "a column": lambda x: x[:, 2],
    "expanded": lambda x: x[1:2].expand(4, 6),
    "permuted": lambda x: x.reshape(2, 2, 6).permute(2, 0, 1),
    "large": lambda x: x.repeat(200, 100),
    "no elements": lambda x: x[:0],
    "alone": lambda x: x[1, 2],
}


@pytest.fixture(params=[True, False], ids=["read", "asked for"])
def tensors(request, monkeypatch):
    if not request.param:
        monkeypatch.setattr(frontend, "any_nan", None)
    return frontend._Tensors(Recorder(lambda log: None), torch)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("required", [False, True])
def test_found_in_any_tensor(tensors, kind, layout, required):
    for number in (1.0, float("inf"), float("nan"), -float("nan")):
        x = torch.zeros(4, 6, dtype=getattr(torch, kind))
        x[1, 2] = number
        x.requires_grad_(required)
        value = LAYOUTS[layout](x)
        assert tensors.has_nan(value) == bool(value.isnan().any())


def test_the_imaginary_part_counts(tensors):
    assert tensors.has_nan(torch.tensor([1.0, complex(0, float("nan"))]))


def test_integers_hold_none(tensors):
    assert not tensors.has_nan(torch.full((3,), 0x7FC00001, dtype=torch.int32))


@pytest.mark.skipif(frontend.any_nan is None, reason="PyTorch itself reads what isn't there")
def test_memory_that_was_given_back_is_not_read(monkeypatch):
    tensors = frontend._Tensors(Recorder(lambda log: None), torch)
    monkeypatch.setattr(tensors, "_sums_to_nan", lambda value: False)
    for size in (0, 16):
        x = torch.full((100,), float("nan"))
        tail = x[50:]
        assert tensors.has_nan(x)
        assert tensors.has_nan(tail)
        x.untyped_storage().resize_(size)
        assert not tensors.has_nan(x)
        assert not tensors.has_nan(tail)


def test_nothing_that_the_program_does_with_tensors_is_seen(tensors):
    seen = []

    class Operations(torch.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            seen.append(function)
            return function(*args, **(kwargs or {}))

    x = torch.full((3,), float("nan"))
    with Operations():
        assert tensors.has_nan(x) == (frontend.any_nan is not None)
    assert seen == []


ODD = {
    "compressed": lambda: torch.tensor([[0.0, float("nan")]]).to_sparse_csr(),
    "sparse": lambda: torch.tensor([0.0, float("nan")]).to_sparse(),
    "zeros without memory": lambda: torch._efficientzerotensor((2, 3)),
    "nested": lambda: torch.nested.nested_tensor([torch.zeros(2), torch.zeros(3)]),
    "without elements": lambda: torch.zeros(3, device="meta"),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ODD)
def test_tensors_without_memory_of_their_own_raise_nothing(tensors, kind):
    tensors.has_nan(ODD[kind]())
