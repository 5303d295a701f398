"""Nothing is handled by silence: a new kind of type, operand or op fails here until it is."""

from __future__ import annotations

import pytest

from jit_lsp.ir import (
    ArrayType,
    Constant,
    DictType,
    HandleType,
    Keyword,
    ListType,
    Module,
    ModuleType,
    OpaqueType,
    Operand,
    Pack,
    ParameterType,
    ScalarType,
    Symbol,
    TupleType,
    Type,
    Value,
    parse,
    parse_type,
    print_module,
    registry,
    verify,
)
from jit_lsp.ir.aliasing import Aliasing
from jit_lsp.ir.interpreter import Interpreter, function_of
from jit_lsp.ir.passes.manager import all_passes, run_passes
from jit_lsp.ir.types import SCALARS
from jit_lsp.ir.values import substitute, type_of, values_of

F32 = ArrayType("f32", (2,))
TYPES: dict[type[Type], Type] = {
    ArrayType: F32,
    ScalarType: ScalarType("int"),
    TupleType: TupleType((F32,)),
    ListType: ListType(F32, 3),
    DictType: DictType((("a", F32),)),
    ModuleType: ModuleType("torch.nn.Linear"),
    ParameterType: ParameterType("weight", F32),
    HandleType: HandleType("numpy.random.Generator"),
    OpaqueType: OpaqueType("pandas.DataFrame"),
}
SAVED = """\
graph @main() {
  %0 : f64[2] = np.ones(2)
  %1 : handle<np.outer> = ir.save[by=np.outer](%0)
  %2 : f64[2] = ir.eval[places=(0,)](%1, %0)
  return
}
"""
STRUCTURE = {
    "ir.return": "graph @main() {\n  return\n}\n",
    "ir.next": "graph @main() {\n  loop %i.0 in 2 {\n    next\n  }\n  return\n}\n",
    "ir.loop": "graph @main() {\n  loop %i.0 in 2 {\n    next\n  }\n  return\n}\n",
    "ir.yield": "graph @main() {\n  ir.fused() () {\n    yield\n  }\n  return\n}\n",
    "ir.fused": "graph @main() {\n  ir.fused() () {\n    yield\n  }\n  return\n}\n",
    "ir.opaque": "graph @main() {\n  ir.opaque() () {\n    yield\n  }\n  return\n}\n",
    "ir.stage": "graph @main() {\n  --- stage 1 ---\n  return\n}\n",
    "ir.call": "graph @main() {\n  call @f()\n  return\n}\n\ngraph @f() {\n  return\n}\n",
    "ir.save": SAVED,
    "ir.eval": SAVED,
}
UNKNOWN_SOURCES = {"ir.outside", "ir.undefined"}  # executing one is an error that names the node


def test_every_type_is_known() -> None:
    known = {type_.__name__ for type_ in TYPES}  # a class with slots replaces its first draft
    assert {type_.__name__ for type_ in Type.__subclasses__()} == known


@pytest.mark.parametrize("type_", TYPES.values(), ids=lambda t: type(t).__name__)
def test_every_type_prints_reads_back_and_passes_through(type_: Type) -> None:
    assert parse_type(type_.text(full=True)) is type_
    assert parse_type(str(type_)) is type_
    module = Module()
    body = module.add_graph("main").body
    body.set_return([body.append(Symbol("lib", "f"), [body.add_parameter(type_)], [type_]).result])
    text = print_module(module)
    assert print_module(parse(text)) == text
    assert print_module(run_passes(module, list(all_passes().values())).module) == text


@pytest.mark.parametrize("name", sorted(SCALARS))
def test_every_scalar_type_reads_back(name: str) -> None:
    assert str(parse_type(name)) == name


def test_every_kind_of_operand_is_handled_everywhere() -> None:
    module = Module()
    body = module.add_graph("main").body
    value = body.add_parameter(ScalarType("int"))
    operands: dict[type, Operand] = {
        Value: value,
        Constant: Constant(1),
        Pack: Pack("tuple", [value, Pack("list", [value]), Pack("slice", [value] * 3)]),
        Keyword: Keyword("k", value),
    }
    assert set(operands) == set(Operand.__args__)  # type: ignore[attr-defined]
    for operand in operands.values():
        assert substitute(operand, {}) == operand
        assert isinstance(type_of(operand), Type)
        assert set(values_of(operand)) <= {value}
    seen: list[object] = []
    node = body.append(Symbol("lib", "f"), list(operands.values()))
    body.set_return([])
    functions = {node.op: lambda *args, **keywords: seen.append((args, keywords))}
    text = print_module(module)
    assert print_module(parse(text)) == text
    Interpreter(module, functions).call(module.main, [7])
    assert seen == [((7, 1, (7, [7], slice(7, 7, 7))), {"k": 7})]


def test_every_op_of_the_graph_itself_is_handled() -> None:
    declared = {str(s) for s in registry.all_ops() if s.namespace == "ir"}
    plain = {name for name in declared if name not in STRUCTURE}
    for name in plain - UNKNOWN_SOURCES:
        assert callable(function_of(Symbol.parse(name)))
    for name, text in STRUCTURE.items():
        module = parse(text)
        assert name in {str(node.op) for node in module.walk()}
        assert print_module(module) == text
        assert verify(module) == []
        Aliasing(module)
        assert Interpreter(module).call(module.main, []) == ()
        run_passes(module, list(all_passes().values()))


@pytest.mark.parametrize(
    "symbol",
    [symbol for symbol in registry.all_ops() if symbol.namespace in ("np", "py")],
    ids=str,
)
def test_every_op_can_be_executed(symbol: Symbol) -> None:
    assert callable(function_of(symbol))
