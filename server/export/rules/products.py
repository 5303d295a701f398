"""Products of matrices, and other sums of products."""

from __future__ import annotations

from collections.abc import Sequence

from ..application import FLOATING, Application
from ..attention import attention_at
from ..errors import Refused
from ..linear import gemm
from ..registry import exports
from .attention import attention


def _pair(x: Application) -> tuple[str, str]:
    """The names of the two arguments."""
    left = x.first("a", "x1", "input")
    return left, x.first("b", "x2", "other", "mat2", "vec", "tensor", "vec2")


def _numeric(x: Application) -> str:
    if x.result.element == "bool":
        raise Refused("a product of truth values", "np.any of a product of numbers")
    return x.result.element


@exports("np.matmul", "ir.matmul", "torch.matmul", "torch.mm", "torch.bmm", "torch.mv", "torch.dot")
def matmul(x: Application) -> str:
    """The matrix product, of operands turned where asked."""
    element = _numeric(x)
    found = attention_at(x.node) if element in FLOATING else None
    if found is not None:
        return attention(x, found)
    names = _pair(x)
    values = [x.value(name, element) for name in names]
    ndims = [x.array(name).ndim for name in names]
    turned = [bool(x.constant(f"transpose_{n}", default=False)) for n in "ab"]
    constants = x.scope.model.constants
    computed = [v for v, turn in zip(values, turned, strict=True) if turn and v not in constants]
    if computed and ndims == [2, 2] and element in FLOATING:
        return gemm(x, values[0], values[1], "", turned[0], turned[1])
    for place, (ndim, turn) in enumerate(zip(ndims, turned, strict=True)):
        if turn:
            order = [*range(ndim - 2), ndim - 1, ndim - 2]
            values[place] = x.transposed(values[place], order)
    return x.emit("MatMul", *values)


@exports("np.dot")
def dot(x: Application) -> str:
    """A product of matrices; of more dimensions, the last with the last but one."""
    element, (left, right) = _numeric(x), _pair(x)
    a, b = x.value(left, element), x.value(right, element)
    m, n = x.array(left).ndim, x.array(right).ndim
    if not m or not n:
        return x.emit("Mul", a, b)
    if n <= 2:
        return x.emit("MatMul", a, b)
    return _contracted(x, a, b, m, n, ([m - 1], [n - 2]))


@exports("np.inner")
def inner(x: Application) -> str:
    """Sums of products along the last axes."""
    element = _numeric(x)
    m, n = x.array("a").ndim, x.array("b").ndim
    a, b = x.value("a", element), x.value("b", element)
    if not m or not n:
        return x.emit("Mul", a, b)
    return _contracted(x, a, b, m, n, ([m - 1], [n - 1]))


@exports("np.tensordot")
def tensordot(x: Application) -> str:
    """Sums of products along any axes."""
    element, m, n = _numeric(x), x.array("a").ndim, x.array("b").ndim
    axes = x.constant("axes", default=2)
    if isinstance(axes, int):
        axes = (list(range(m - axes, m)), list(range(axes)))
    left, right = ([a] if isinstance(a, int) else list(a) for a in axes)
    pair = [a % m for a in left], [a % n for a in right]
    return _contracted(x, x.value("a", element), x.value("b", element), m, n, pair)


def _contracted(
    x: Application, a: str, b: str, m: int, n: int, axes: tuple[Sequence[int], Sequence[int]]
) -> str:
    """``Einsum`` that sums over the paired axes."""
    letters = iter("abcdefghijklmnopqrstuvwxyz")
    left = [next(letters) for _ in range(m)]
    right = [next(letters) for _ in range(n)]
    for one, other in zip(*axes, strict=True):
        right[other] = left[one]
    kept = [c for c in left if c not in right] + [c for c in right if c not in left]
    equation = f"{''.join(left)},{''.join(right)}->{''.join(kept)}"
    return x.emit("Einsum", a, b, equation=equation)


@exports("np.einsum", "torch.einsum")
def einsum(x: Application) -> str:
    """Einstein's convention, which ONNX has as it is."""
    name = x.first("subscripts", "equation")
    equation = x.constant(name)
    if not isinstance(equation, str):
        raise Refused("in the form without a string", "np.einsum with a string")
    if "->" not in equation:
        once = sorted(c for c in set(equation) if c.isalpha() and equation.count(c) == 1)
        equation += "->" + "".join(once)
    values = [x.of(item, x.result.element) for item in x.items("operands")]
    return x.emit("Einsum", *values, equation=equation.replace(" ", ""))


@exports("np.vdot")
def vdot(x: Application) -> str:
    """The product of two arrays as vectors."""
    element = _numeric(x)
    flat = [x.emit("Reshape", x.value(name, element), x.ints([-1])) for name in ("a", "b")]
    return x.emit("MatMul", *flat)


@exports("np.outer", "torch.outer")
def outer(x: Application) -> str:
    """Every product of two elements."""
    left, right = _pair(x)
    column = x.emit("Reshape", x.value(left, x.result.element), x.ints([-1, 1]))
    row = x.emit("Reshape", x.value(right, x.result.element), x.ints([1, -1]))
    return x.emit("And" if x.result.element == "bool" else "Mul", column, row)


@exports("np.kron")
def kron(x: Application) -> str:
    """Every product of two elements, as blocks."""
    a, b = x.sizes("a"), x.sizes("b")
    if len(a) != len(b):
        raise Refused("of arrays with different numbers of dimensions", "np.kron of two matrices")
    element = _numeric(x)
    wide = [size for pair in zip(a, [1] * len(a), strict=True) for size in pair]
    tall = [size for pair in zip([1] * len(b), b, strict=True) for size in pair]
    product = x.emit(
        "Mul",
        x.emit("Reshape", x.value("a", element), x.ints(wide)),
        x.emit("Reshape", x.value("b", element), x.ints(tall)),
    )
    return x.reshaped(product, (*a, *b), x.result.sizes)


@exports("np.linalg.det")
def det(x: Application) -> str:
    """The determinant."""
    return x.emit("Det", x.value("a", x.result.element))


@exports("torch.nn.functional.linear")
def linear(x: Application) -> str:
    """``x @ weight.T + bias``: of a matrix, one operator."""
    element, ndim = x.result.element, x.array("input").ndim
    value, bias = x.value("input", element), x.value("bias", element)
    weight = x.value("weight", element)
    if ndim == 2 and x.array("weight").ndim == 2:
        return gemm(x, value, weight, bias, b=True)
    if x.array("weight").ndim == 2:
        weight = x.transposed(weight, [1, 0])
    product = x.emit("MatMul", value, weight)
    return x.emit("Add", product, bias) if bias else product
