"""What the tests of exports share: a graph of one op, and a model run by onnxruntime."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
import onnxruntime

from jit_lsp.ir import Module, Operand, Symbol, Type, Value

onnxruntime.set_default_logger_severity(4)

NO_KERNEL = ("NOT_IMPLEMENTED", "is not currently registered or supported")
"""What onnxruntime says where an operator is right, and it can't compute it for such elements."""


class OneOp:
    """A graph that applies one op to arrays and to constants."""

    def __init__(self) -> None:
        self.module = Module()
        self.body = self.module.add_graph("main").body
        self.feeds: dict[str, np.ndarray[Any, Any]] = {}

    def array(self, type_: Type, value: np.ndarray[Any, Any]) -> Value:
        """A parameter, and what it is to be when the model runs."""
        parameter = self.body.add_parameter(type_, "x")
        self.feeds[str(parameter).removeprefix("%")] = value
        return parameter

    def apply(
        self,
        op: Symbol,
        operands: Sequence[Operand],
        attributes: Mapping[str, Any],
        results: Sequence[Type],
    ) -> None:
        node = self.body.append(op, operands, results, ["r"] * len(results), attributes)
        self.body.set_return(node.results)


def run(model: onnx.ModelProto, feeds: Mapping[str, Any]) -> list[Any] | None:
    """What onnxruntime gives; None where it can't compute such elements."""
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString())
    except Exception as error:
        if any(text in str(error) for text in NO_KERNEL):
            return None
        raise
    wanted = {each.name: feeds[each.name] for each in session.get_inputs()}
    return list(session.run(None, wanted))
