"""Random graphs that run: views, writes in place, loops, calls, opaque calls, repeated segments."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from jit_lsp.doc import Span
from jit_lsp.ir import (
    ArrayType,
    Graph,
    Keyword,
    Module,
    Operand,
    Region,
    ScalarType,
    Symbol,
    Type,
    Value,
    as_operand,
    registry,
)
from jit_lsp.ir.interpreter import dtype_of
from jit_lsp.ir.opinfo import OpError
from jit_lsp.ir.types import OpaqueType

S = Symbol.parse
SHAPES: tuple[tuple[int, ...], ...] = ((3,), (3, 3), (3, 4), (4, 3), ())
ELEMENTS = ("f64", "f64", "f32", "i64")
UNARY = ("negative", "absolute", "square", "tanh", "exp", "floor", "isnan")
BINARY = ("add", "subtract", "multiply", "maximum", "less", "add")


def opaque_sum(a: Any) -> Any:
    return np.float64(np.sum(a))


def opaque_double(a: Any) -> None:
    a *= 2


def opaque_same(a: Any) -> Any:
    return a


FUNCTIONS: Mapping[Symbol, Callable[..., Any]] = {
    S("lib.total"): opaque_sum,
    S("lib.double"): opaque_double,
    S("lib.same"): opaque_same,
}


class Builder:
    """Adds random nodes to a module; every value it picks is still alive there."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.module = Module()
        self.line = 0

    def build(self) -> Module:
        functions = []
        for _ in range(self.random.randint(0, 2)):
            graph = self.module.add_graph("f", self.span())
            self.graph(graph, self.random.randint(1, 6), functions)
            functions.append(graph)
        self.graph(
            self.module.add_graph("main", self.span()), self.random.randint(3, 25), functions
        )
        if self.random.random() < 0.5:
            self.module.renumber()
        return self.module

    def graph(self, graph: Graph, size: int, functions: list[Graph]) -> None:
        alive: list[Value] = []
        for index in range(self.random.randint(1, 3)):
            type_ = ArrayType(self.random.choice(ELEMENTS), self.random.choice(SHAPES[:4]))
            alive.append(graph.body.add_parameter(type_, f"x{index}"))
        self.fill(graph.body, alive, size, functions, set())
        if self.random.random() < 0.2 and graph.name == "main":
            graph.body.mark_stage(1)
            self.fill(graph.body, alive, 2, functions, set())
        chosen = self.random.sample(alive, min(len(alive), self.random.randint(1, 4)))
        graph.body.set_return(chosen)

    def fill(
        self,
        region: Region,
        alive: list[Value],
        size: int,
        functions: list[Graph],
        outer: set[Value],
    ) -> None:
        for _ in range(size):
            kind = self.random.random()
            if kind < 0.55:
                self.plain(region, alive)
            elif kind < 0.75:
                self.write(region, alive, outer)
            elif kind < 0.82:
                self.opaque(region, alive, outer)
            elif kind < 0.87:
                self.repeated(region, alive, outer)
            elif kind < 0.9:
                self.array_with_views(region, alive)
            elif kind < 0.94:
                self.loop(region, alive, functions, outer)
            elif functions:
                self.call(region, alive, self.random.choice(functions), outer)

    def plain(self, region: Region, alive: list[Value], span: Span | None = None) -> Value | None:
        x = self.array(alive)
        if x is None:
            return None
        pick = self.random.randint(0, 13)
        attributes: dict[str, Any] = {}
        op: str
        operands: list[Any] = [x]
        if pick < 3:
            op = self.random.choice(UNARY)
        elif pick < 7:
            op = self.random.choice(BINARY)
            operands.append(self.array(alive) if self.random.random() < 0.7 else self.number())
        elif pick == 7:
            op = self.random.choice(("transpose", "ndarray.T"))
        elif pick == 8:
            op, attributes = "reshape", {"shape": self.random.choice(((-1,), (3, -1), (4, 3)))}
        elif pick == 9:
            op = "matmul"
            operands.append(self.array(alive))
        elif pick == 10:
            op, attributes = "sum", {"axis": self.random.choice((None, 0, -1))}
        elif pick == 11:
            op = "getitem"
            operands.append(self.random.choice((0, slice(1, None), (slice(None), 1), (..., None))))
        elif pick == 12:
            op, attributes = "ndarray.astype", {"dtype": self.random.choice(("f32", "f64"))}
        else:
            op, operands = "zeros", [self.random.choice(SHAPES)]
        return self.apply(region, alive, Symbol("np", op), operands, attributes, span)

    def apply(
        self,
        region: Region,
        alive: list[Value],
        op: Symbol,
        operands: list[Any],
        attributes: dict[str, Any],
        span: Span | None,
    ) -> Value | None:
        packed: list[Operand] = [as_operand(operand) for operand in operands]
        try:
            types = registry.infer(op, packed, attributes)
        except OpError:
            return None
        if types is None or not all(isinstance(t, ArrayType) and small(t) for t in types):
            return None
        if op.name in ("zeros", "ravel", "reshape") and self.random.random() < 0.8:
            types = [self.laid_out(op, packed[0], type_) for type_ in types]
        node = region.append(op, packed, types, [self.hint()], attributes, span or self.span())
        alive.append(node.result)
        return node.result

    def write(self, region: Region, alive: list[Value], outer: set[Value]) -> None:
        x = self.array([value for value in alive if value not in outer])
        if x is None:
            return
        assert isinstance(x.type, ArrayType)
        ndim = x.type.ndim
        pick = self.random.randint(0, 6)
        mutated = 0
        operands: list[Any] = [x, self.random.choice((1, 2))]
        if pick == 0 and x.type.sizes and x.type.sizes[0]:
            op, index = "setitem", self.random.choice((0, slice(1, None), ...))
            operands = [x, index, 3]
        elif pick == 1 and ndim:
            sort, fill = ("ndarray.sort", [x]), ("ndarray.fill", [x, 7])
            others = [("put", [x, [0, -1], 5]), ("add.at", [x, 0, 2]), ("copyto", [x, 3])]
            others += [("fill_diagonal", [x, 7])] if ndim == 2 else []
            op, operands = self.random.choice((sort, fill, *(others if all(x.type.sizes) else ())))
        elif pick == 2 and ndim:
            op, mutated = self.random.choice(("add", "maximum", "matmul")), 2
            operands = [x, self.random.choice((1, 2)), Keyword("out", x)]
            inputs = [v for v in alive if v.type.with_(strides=None) is x.type.with_(strides=None)]
            operands[self.random.randint(0, 1)] = self.random.choice(inputs)
            if op == "matmul":
                square = x.type.contiguous and len(set(x.type.sizes)) == 1 == ndim - 1
                size = x.type.sizes[0]
                table = [[0.1 * i + 0.3 * j for i in range(size)] for j in range(size)]
                op, operands[:2] = ("matmul", [table, table]) if square else ("add", [x, 1])
        else:
            op = self.random.choice(("add", "multiply", "subtract"))
            other = self.array(alive)
            if (
                other is not None
                and other is not x
                and isinstance(other.type, ArrayType)
                and other.type.sizes == x.type.sizes
                and other.type.element in (x.type.element, "f32" if x.type.element == "f64" else "")
            ):
                operands = [x, other]
        if x.type.element == "bool":
            return
        node = region.append(
            Symbol("np", op),
            [as_operand(operand) for operand in operands],
            [x.type],
            [x.hint],
            span=self.span(),
            mutated=[mutated],
        )
        alive[alive.index(x)] = node.result

    def array_with_views(self, region: Region, alive: list[Value], *, surely: bool = False) -> None:
        """An array of its own, views of it and of them, and writes and reads through any.

        ``surely`` leaves out what isn't known to be a view, or doesn't put back what is written.
        """
        x = self.array([value for value in alive if value.type.sizes])
        if x is None:
            return
        assert isinstance(x.type, ArrayType)
        made = self.apply(region, [], S("np.zeros"), [x.type.sizes], {}, None)
        if made is None:
            return
        operands = [made, as_operand(...), x]
        node = region.append(S("np.setitem"), operands, [made.type], ["own"], mutated=[0])
        members = [node.result]
        for _ in range(self.random.randint(3, 9)):
            self.use_views(region, members, alive, surely, depth=0)
        alive.extend(members if surely or self.random.random() < 0.3 else members[:1])

    def use_views(
        self, region: Region, members: list[Value], alive: list[Value], surely: bool, depth: int
    ) -> None:
        """A view, a write, a read or a loop with such things. The first of ``members`` is whole."""
        kind = self.random.random()
        if kind < 0.4:
            self.view(region, members, surely)
        elif kind < 0.75:
            here = [value for value in members if value.region is region]
            self.write(region, members, set(members) - set(here))
        elif kind < 0.88 or depth == 2:
            x = self.array(members)
            read: list[Value] = []
            self.apply(region, read, S("np.tanh"), [x], {}, None)
            self.apply(region, read, S("np.sum"), [read[-1] if read else x], {}, None)
            alive.extend(read if depth == 0 else ())
        else:
            free = [value.region is region and self.random.random() < 0.4 for value in members]
            carried = [value for value, mine in zip(members, free, strict=True) if mine]
            loop = region.append_loop(
                self.random.randint(0, 3), [("own", value) for value in carried], "i", self.span()
            )
            (body,) = loop.regions
            new = dict(zip(carried, body.parameters[1:], strict=True))
            inside = [new.get(value, value) for value in members]
            whole = inside[0]
            rows = len(whole.type.sizes) > 1 or not surely
            if rows and self.random.random() < 0.7 and whole.type.sizes[0] >= 3:
                types = registry.infer(S("np.getitem"), [whole, body.parameters[0]], {})
                assert types is not None
                body.append(S("np.getitem"), [whole, body.parameters[0]], types, ["row"])
                inside.append(body.last.result)
            for _ in range(self.random.randint(1, 4)):
                self.use_views(body, inside, [], surely, depth + 1)
            body.set_next([value for value, mine in zip(inside, free, strict=False) if mine])
            results = iter(loop.results)
            members[:] = [next(results) if m else v for v, m in zip(members, free, strict=True)]

    def view(self, region: Region, members: list[Value], surely: bool) -> None:
        x = self.array([value for value in members if value.type.sizes])
        if x is None:
            return
        indices = [0, -1, slice(1, None), slice(None, None, -1), slice(None, None, 2)]
        indices += [(slice(None), 0), (..., None), (None, 0), (..., 0), (slice(1), ..., -1)]
        op, index = "getitem", self.random.choice(indices)
        if not surely and self.random.random() < 0.2:
            index = self.random.choice(([0, -1], [[0], [-1]], (0, 0), (0, [0, -1])))
        operands: list[Any] = [x, index]
        pick = self.random.random()
        if pick < 0.25:
            op, operands = self.random.choice(("ndarray.T", "transpose", "ndarray.mT")), [x]
        elif pick < 0.35:
            op, operands = self.random.choice(("swapaxes", "moveaxis")), [x, 0, -1]
        elif pick < 0.45:
            op, operands = "squeeze", [x]
        elif pick < 0.55:
            op, operands = "expand_dims", [x, self.random.choice((0, -1))]
        elif pick < 0.75 and (x.type.contiguous or not surely):
            op, operands = self.random.choice((("ravel", [x]), ("reshape", [x, (2, -1)])))
        elif pick < 0.8 and not surely:
            op, operands = self.random.choice((("flip", [x]), ("ndarray.flatten", [x])))
        made = self.apply(region, members, S(f"np.{op}"), operands, {}, None)
        if surely and made is not None and made.type.sizes == () and index != (..., 0):
            members.pop().node.erase()  # one of NumPy's scalars, not a view

    def opaque(self, region: Region, alive: list[Value], outer: set[Value]) -> None:
        x = self.array([value for value in alive if value not in outer])
        if x is None:
            return
        which = self.random.choice(("total", "double", "same"))
        assert isinstance(x.type, ArrayType)
        if which == "double" and x.type.element != "bool" and x.type.sizes:
            node = region.append(
                S("lib.double"), [x], [x.type], [x.hint], span=self.span(), mutated=[0]
            )
            alive[alive.index(x)] = node.result
        elif which == "total":
            alive.append(region.append(S("lib.total"), [x], [ArrayType("f64", ())]).result)
        elif which == "same":
            alive.append(region.append(S("lib.same"), [x], [x.type], span=self.span()).result)

    def repeated(self, region: Region, alive: list[Value], outer: set[Value]) -> None:
        """The same line several times, each on the result of the last."""
        x = self.array(alive)
        if x is None:
            return
        if x not in outer and self.random.random() < 0.4:
            self.repeated_write(region, alive, x)
            return
        span, scale = self.span(), self.number()
        for _ in range(self.random.randint(3, 5)):
            new = self.apply(region, alive, S("np.multiply"), [x, scale], {}, span)
            if new is None or new.type is not x.type:
                return
            new = self.apply(region, alive, S("np.add"), [new, 1], {}, span)
            if new is None:
                return
            alive[-2:] = []
            x = new
        alive.append(x)

    def repeated_write(self, region: Region, alive: list[Value], x: Value) -> None:
        """The same write several times, with a view taken now and then in between."""
        assert isinstance(x.type, ArrayType)
        if x.type.element == "bool":
            return
        span, other, viewed = self.span(), self.span(), self.random.random() < 0.3
        for _ in range(self.random.randint(3, 5)):
            operands = [x, as_operand(self.random.choice((1, 1, 1, 2)))]
            node = region.append(S("np.add"), operands, [x.type], ["x"], span=span, mutated=[0])
            alive[alive.index(x)] = x = node.result
            if viewed:
                self.apply(region, alive, S("np.ndarray.T"), [x], {}, other)

    def loop(
        self, region: Region, alive: list[Value], functions: list[Graph], outer: set[Value]
    ) -> None:
        free = [value for value in alive if value not in outer]
        carried = self.random.sample(free, min(len(free), self.random.randint(0, 2)))
        node = region.append_loop(
            self.random.randint(0, 3),
            [(value.hint, value) for value in carried],
            "i",
            self.span(),
            note=self.random.choice((None, "same types each time")),
        )
        (body,) = node.regions
        inside = [value for value in alive if value not in carried]
        around = {*outer, *inside}
        inside += body.parameters[1:]
        self.fill(body, inside, self.random.randint(1, 4), functions, around)
        values: list[Value] = []
        for parameter in body.parameters[1:]:
            fits = [v for v in inside if v.type is parameter.type and v not in values]
            values.append(self.random.choice(fits) if fits else parameter)
        if any(v in around for v in values) or len(set(values)) < len(values):
            values = [v for v in inside if v not in around and isinstance(v.type, ArrayType)]
            values = self.matching(body.parameters[1:], values)
        if len(values) < len(carried):  # a parameter died and nothing has its type: no such loop
            for inner in reversed(list(body)):
                inner.erase()
            node.erase()
            return
        body.set_next(values)
        # what a loop changes in place is dead below it; carried values are replaced either way
        for value in carried:
            alive.remove(value)
        alive.extend(node.results)

    def matching(self, parameters: list[Value], values: list[Value]) -> list[Value]:
        found: list[Value] = []
        for parameter in parameters:
            fits = [v for v in values if v.type is parameter.type and v not in found]
            if fits:
                found.append(fits[-1])
        return found

    def call(self, region: Region, alive: list[Value], callee: Graph, outer: set[Value]) -> None:
        changed = [i for i, parameter in enumerate(callee.parameters) if is_changed(parameter)]
        operands: list[Value] = []
        for index, parameter in enumerate(callee.parameters):
            fits = [v for v in alive if v.type is parameter.type and v not in operands]
            if index in changed:
                fits = [value for value in fits if value not in outer]
            if not fits:
                return
            operands.append(self.random.choice(fits))
        versions = [operands[index] for index in changed]
        node = region.append_call(
            callee,
            operands,
            [*(value.type for value in versions), *callee.result_types],
            span=self.span(),
            mutated=changed,
        )
        for old, new in zip(versions, node.results, strict=False):
            alive[alive.index(old)] = new
        alive.extend(node.results[len(versions) :])

    def array(self, alive: list[Value]) -> Value | None:
        arrays = [value for value in alive if isinstance(value.type, ArrayType)]
        return self.random.choice(arrays) if arrays else None

    def laid_out(self, op: Symbol, operand: Operand, type_: ArrayType) -> ArrayType:
        """With strides where they are known, as in a graph that was traced."""
        if isinstance(operand, Value) and not operand.type.contiguous:
            return type_
        return type_.with_(strides=np.empty(type_.sizes, dtype_of(type_.element)).strides)

    def number(self) -> Any:
        return self.random.choice((2, 0.5, 1, True))

    def hint(self) -> str | None:
        return self.random.choice((None, "y", "self.w", "layer_1"))

    def span(self) -> Span:
        self.line += 1
        end = self.line + self.random.randint(0, 1)
        path = self.random.choice(("a.py", "dir/b.py", "/x y/c.py"))
        return Span(path, self.line, self.random.randint(0, 8), end, self.random.randint(8, 20))


def small(type_: ArrayType) -> bool:
    return type_.size is not None and type_.size < 200 and type_.ndim < 5


def is_changed(value: Value) -> bool:
    """Whether a value is changed in place: by a node, or in a loop that carries it."""
    for node in value.uses:
        if value in node.consumed:
            return True
        for region in node.regions:
            inside = zip(node.operands, region.parameters[1:], strict=True)
            if any(operand is value and is_changed(inner) for operand, inner in inside):
                return True
    return False


def graph_of_views(seed: int) -> Module:
    """A graph with arrays of its own, and writes that can all be followed."""
    builder = Builder(seed)
    body = builder.module.add_graph("main").body
    alive = [body.add_parameter(ArrayType("f64", shape)) for shape in SHAPES[:4]]
    for _ in range(builder.random.randint(1, 3)):
        builder.array_with_views(body, alive, surely=True)
    body.set_return(alive)
    return builder.module


def random_graph(seed: int) -> Module:
    return Builder(seed).build()


def inputs_for(module: Module, seed: int) -> list[Any]:
    numbers = np.random.default_rng(seed)
    arrays = []
    for parameter in module.main.parameters:
        type_ = parameter.type
        assert isinstance(type_, ArrayType)
        values = numbers.integers(-5, 6, size=type_.sizes) / 2  # type: ignore[arg-type]
        arrays.append(values.astype(dtype_of(type_.element)))
    return arrays


__all__ = ["FUNCTIONS", "Builder", "OpaqueType", "ScalarType", "Type", "inputs_for", "random_graph"]
