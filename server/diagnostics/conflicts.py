"""Where the shapes of a failed operation conflict: which sizes differ, and what they must be.

Each family of operations has one account. It is given the operands as they were, and works out the
conflict itself; NumPy's words are used only where the operands don't tell (the room of a slice).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .shape_case import Case, Conflict
from .shape_elementwise import elementwise
from .shape_indexing import getitem, store
from .shape_joins import join, reshape
from .shape_products import batches, dot, einsum, linear, lstsq, matmul, solve, square, tensordot
from .syntax import target_span

__all__ = ["Case", "Conflict", "conflict", "target_span"]


def conflict(case: Case) -> Conflict | None:
    """The conflict of a failed operation; None where no account of it is sure."""
    if any(None in side.type.sizes for side in case.sides):
        return None
    account = _ACCOUNTS.get(case.name)
    if case.site.kind.endswith(":item"):
        account = store
    elif account is None and case.op is not None and case.op.fusible:
        account = elementwise
    return account(case) if account is not None else None


_ACCOUNTS: Mapping[str, Callable[[Case], Conflict | None]] = {
    "matmul": matmul,
    "dot": dot,
    "vdot": dot,
    "inner": dot,
    "tensordot": tensordot,
    "einsum": einsum,
    "linalg.solve": solve,
    "linalg.lstsq": lstsq,
    "linalg.inv": square,
    "linalg.det": square,
    "linalg.slogdet": square,
    "linalg.cholesky": square,
    "linalg.eig": square,
    "linalg.eigh": square,
    "linalg.eigvals": square,
    "linalg.eigvalsh": square,
    "linalg.matrix_power": square,
    **dict.fromkeys(
        ("concatenate", "stack", "vstack", "hstack", "dstack", "column_stack", "append"), join
    ),
    "reshape": reshape,
    "getitem": getitem,
    "setitem": store,
    "nn.functional.linear": linear,
    "nn.functional.cross_entropy": batches,
    "nn.functional.nll_loss": batches,
    **dict.fromkeys(
        (
            "nn.functional.mse_loss",
            "nn.functional.l1_loss",
            "nn.functional.smooth_l1_loss",
            "nn.functional.binary_cross_entropy",
            "nn.functional.binary_cross_entropy_with_logits",
        ),
        elementwise,
    ),
}
