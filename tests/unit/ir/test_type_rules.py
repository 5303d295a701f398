"""Type rules against NumPy: random shapes, element types, axes, empty arrays, 0-d and scalars."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import numpy as np
import pytest
from numpy_calls import CHECKED, Draw, call_for

from jit_lsp.ir import (
    ArrayType,
    Module,
    Operand,
    ScalarType,
    Type,
    as_operand,
    element_name,
    registry,
)
from jit_lsp.ir.graph import Region
from jit_lsp.ir.interpreter import arguments, function_of
from jit_lsp.ir.opinfo import OpError, OpInfo
from jit_lsp.ir.types import HandleType

ROUNDS = 30


@pytest.mark.parametrize("info", CHECKED, ids=lambda info: str(info.symbol))
def test_rule_agrees_with_numpy(info: OpInfo) -> None:
    make = call_for(info.symbol.name)
    if info.symbol.name == "random.default_rng":
        return
    assert make is not None, "numpy_calls has no arguments for this op"
    function = function_of(info.symbol)
    answered = 0
    for seed in range(ROUNDS):
        args, keywords = make(Draw(seed))
        operands = [operand_of(arg) for arg in args]
        attributes = {name: freeze(value) for name, value in keywords.items()}
        node = SCRATCH.append(info.symbol, operands, attributes=attributes)
        wanted = result_types(function, *arguments(node, info, args))
        try:
            inferred = registry.infer(info.symbol, operands, attributes)
        except OpError:
            assert wanted is None, f"NumPy takes {describe(args)} {keywords}: {wanted}"
            continue
        if inferred is None or wanted is None:
            continue
        answered += 1
        assert agree(inferred, wanted), f"{describe(args)} {keywords}: {inferred}, not {wanted}"
    assert answered, "no random call was answered by the rule"


def test_there_are_enough_ops() -> None:
    assert len([info for info in CHECKED if not info.symbol.name.startswith("ndarray.")]) >= 250


@pytest.mark.parametrize("info", registry.all_ops().values(), ids=lambda info: str(info.symbol))
def test_declarations_are_complete(info: OpInfo) -> None:
    assert info.sentence.endswith(".")
    least, most = info.arity
    assert most is None or least <= most
    assert all(most is None or index < most for index in (*info.mutates, *info.aliases))


@pytest.mark.parametrize(
    "info",
    [info for info in registry.all_ops().values() if info.symbol.namespace == "np"],
    ids=lambda info: str(info.symbol),
)
def test_signatures_are_those_of_numpy(info: OpInfo) -> None:
    function = function_of(info.symbol)
    own = {"np.einsum", "np.arange", "np.clip", "np.pad", "np.random.rand", "np.random.randn"}
    legacy = {"np.random.permutation", "np.random.choice"}  # also those of Generator
    if isinstance(function, np.ufunc) or str(info.symbol) in own | legacy:
        return
    if info.symbol.name in ("getitem", "setitem", "delitem") or "ndarray." in info.symbol.name:
        return
    try:
        signature = inspect.signature(function)
    except ValueError:  # compiled functions may have none
        return
    if info.symbol.name.startswith("random.Generator."):
        return
    kinds = {inspect.Parameter.VAR_POSITIONAL: "*"}
    real = [kinds.get(p.kind, "") + p.name for p in signature.parameters.values()]
    ours = [name for name in info.parameters if name != "*"]
    assert ours == real[: len(ours)]


@pytest.mark.parametrize(
    "info",
    [i for i in registry.all_ops().values() if i.example and i.symbol.namespace == "np"],
    ids=lambda info: str(info.symbol),
)
def test_examples_run(info: OpInfo) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        eval(info.example, {"np": np})


@pytest.mark.parametrize(
    "info",
    [i for i in registry.all_ops().values() if i.symbol.namespace == "np" and i.outputs != 0],
    ids=lambda info: str(info.symbol),
)
def test_nothing_else_is_shared_or_changed(info: OpInfo) -> None:
    make = call_for(info.symbol.name)
    if make is None:
        assert info.type_rule is None or info.symbol.name == "random.default_rng"
        return
    function = function_of(info.symbol)
    for seed in range(ROUNDS // 3):
        args, keywords = make(Draw(seed))
        before = [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in args]
        operands = [operand_of(arg) for arg in args]
        attributes = {name: freeze(value) for name, value in keywords.items()}
        node = SCRATCH.append(info.symbol, operands, attributes=attributes)
        aliased, shares = info.aliased(operands), registry.shares(node)
        for result in results_of(function, *arguments(node, info, args)):
            for place, arg in enumerate(args):
                if isinstance(arg, np.ndarray) and isinstance(result, np.ndarray) and result.size:
                    shared = np.may_share_memory(arg, result)
                    assert place in aliased or not shared, f"{describe(args)} {keywords}"
                    if place == 0 and shares is not None:
                        assert shared == shares, f"{describe(args)} {keywords}"
        for arg, old in zip(args, before, strict=True):
            if isinstance(arg, np.ndarray):
                assert arg.tobytes() == old.tobytes(), f"{describe(args)} {keywords}"


def results_of(function: Any, args: Any, keywords: Any) -> tuple[Any, ...]:
    """What NumPy gives; nothing where it refuses."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            result = function(*args, **keywords)
    except REFUSALS:
        return ()
    return tuple(result) if isinstance(result, tuple | list) else (result,)


def result_types(function: Any, args: Any, keywords: Any) -> tuple[Type, ...] | None:
    """The types of what NumPy gives; None where it refuses."""
    return tuple(map(type_of, results_of(function, args, keywords))) or None


def type_of(value: Any) -> Type:
    if isinstance(value, np.ndarray | np.generic):
        return ArrayType(element_name(value.dtype.str), value.shape)
    if isinstance(value, np.random.Generator):
        return HandleType("numpy.random.Generator")
    return ScalarType(type(value).__name__)


def operand_of(value: Any) -> Operand:
    if isinstance(value, np.ndarray | np.generic | np.random.Generator):
        type_ = type_of(value)
        if isinstance(type_, ArrayType) and isinstance(value, np.ndarray):
            type_ = type_.with_(strides=value.strides)
        return SCRATCH.add_parameter(type_)
    if isinstance(value, tuple | list):
        items = [operand_of(item) for item in value]
        return as_operand(items if isinstance(value, list) else tuple(items))
    return as_operand(value)


def freeze(value: Any) -> Any:
    return tuple(map(freeze, value)) if isinstance(value, tuple | list) else value


def agree(inferred: tuple[Type, ...], actual: tuple[Type, ...]) -> bool:
    return len(inferred) == len(actual) and all(map(same, inferred, actual))


def same(inferred: Type, actual: Type) -> bool:
    if not (isinstance(inferred, ArrayType) and isinstance(actual, ArrayType)):
        return inferred is actual
    return (
        inferred.element == actual.element
        and inferred.ndim == actual.ndim
        and all(a in (None, b) for a, b in zip(inferred.sizes, actual.sizes, strict=True))
    )


def describe(args: Any) -> str:
    return ", ".join(str(type_of(a)) if isinstance(a, np.ndarray) else repr(a) for a in args)


REFUSALS = (
    TypeError,
    ValueError,
    IndexError,
    OverflowError,
    ZeroDivisionError,
    np.linalg.LinAlgError,
)
SCRATCH: Region = Module().add_graph("main").body
