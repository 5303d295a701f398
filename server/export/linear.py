"""A product of matrices and a sum with what broadcasts to it: one ``Gemm``."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..ir import registry
from ..ir.graph import Node
from ..ir.opinfo import Arguments, OpError
from ..ir.types import ArrayType
from ..ir.values import Operand, Value
from .application import FLOATING, Application, element_of
from .prepare import Prepared

__all__ = ["Products", "emit", "products_with_sums"]

_SUMS = frozenset({"np.add", "torch.add", "torch.Tensor.add"})
_PRODUCTS = frozenset(
    {"np.matmul", "np.dot", "np.ndarray.dot", "ir.matmul", "torch.matmul", "torch.mm"}
    | {"torch.Tensor.matmul", "torch.Tensor.mm"}
)


@dataclass(frozen=True, slots=True)
class Products:
    """Sums with the product that each takes up, and what is added to it."""

    sums: dict[Node, tuple[Node, Operand]] = field(default_factory=dict)
    absorbed: set[Node] = field(default_factory=set)


def products_with_sums(prepared: Prepared) -> Products:
    """Where ``x @ w + b`` is one operator: matrices of floats, of which nothing else is wanted."""
    found = Products()
    for node in prepared.needed:
        if str(node.op) not in _SUMS or len(node.operands) != 2 or node.attributes:
            continue
        for place in (0, 1):
            product, other = node.operands[place], node.operands[1 - place]
            maker = product.node if isinstance(product, Value) else None
            if maker is None or not isinstance(product, Value) or product in prepared.outputs:
                continue
            if str(maker.op) in _PRODUCTS and _fits(node, maker, product, other):
                found.sums[node] = (maker, other)
                found.absorbed.add(maker)
                break
    return found


def _fits(node: Node, maker: Node, product: Value, other: Operand) -> bool:
    types = [o.type if isinstance(o, Value) else None for o in (*maker.operands, other)]
    whole = node.results[0].type
    if len(maker.operands) != 2 or product.uses != {node: 1} or maker.region is not node.region:
        return False
    if not isinstance(whole, ArrayType) or whole.element not in FLOATING or whole.ndim != 2:
        return False
    if not all(isinstance(t, ArrayType) and t.element == whole.element for t in types):
        return False
    left, right, added = (t for t in types if isinstance(t, ArrayType))
    same = isinstance(product.type, ArrayType) and product.type.sizes == whole.sizes
    return same and left.ndim == right.ndim == 2 and added.ndim <= 2


def emit(x: Application, products: Products) -> str:
    """The ``Gemm`` of a sum."""
    maker, added = products.sums[x.node]
    info = registry.get(maker.op)
    assert info is not None  # its name is one of those above
    try:
        flags = Arguments(info, maker.operands, maker.attributes)
    except OpError:
        flags = None
    left, right = (x.of(operand) for operand in maker.operands)
    turned = [bool(flags and flags.constant(f"transpose_{n}", False)) for n in "ab"]
    return gemm(x, left, right, x.of(added, element_of(added)), *turned)


def gemm(
    x: Application, left: str, right: str, added: str, a: bool = False, b: bool = False
) -> str:
    """``left @ right + added``, each turned first where asked."""
    return x.emit("Gemm", left, right, added, transA=int(a) or None, transB=int(b) or None)
