"""What operators give for constants, computed when a model is made and not each time it runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import onnx
from onnx import helper
from onnx.reference import ReferenceEvaluator

__all__ = ["MOST", "evaluated"]

MOST: Final = 1 << 16
"""Elements of a constant that is computed here."""


def evaluated(
    operator: str,
    inputs: Sequence[np.ndarray[Any, Any] | None],
    attributes: Mapping[str, Any],
) -> np.ndarray[Any, Any] | None:
    """The one result of an operator of constants; None where it is large, or isn't known."""
    known = [array for array in inputs if array is not None]
    if sum(array.size for array in known) > MOST or _is_large(operator, known):
        return None
    names = ["" if array is None else f"x{i}" for i, array in enumerate(inputs)]
    given = {name: array for name, array in zip(names, inputs, strict=True) if array is not None}
    kept = {name: value for name, value in attributes.items() if value is not None}
    node = helper.make_node(operator, names, ["y"], **kept)
    anything = onnx.TypeProto()
    graph = helper.make_graph(
        [node],
        "constant",
        [helper.make_value_info(name, anything) for name in given],
        [helper.make_value_info("y", anything)],
    )
    try:
        with np.errstate(all="ignore"):
            (made,) = ReferenceEvaluator(helper.make_model(graph)).run(None, given)
    except Exception:  # an operator that the reference hasn't, or not for such elements
        return None
    return np.asarray(made)


def _is_large(operator: str, inputs: Sequence[np.ndarray[Any, Any]]) -> bool:
    """Whether a result may be far larger than what it is made of."""
    if operator == "ConstantOfShape":
        return bool(np.prod(inputs[0]) > MOST)
    if operator in ("Expand", "Tile"):
        return bool(np.prod(inputs[1]) * inputs[0].size > MOST)
    return False
