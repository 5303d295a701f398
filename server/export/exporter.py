"""From a prepared graph to a model: node by node, by the rules of the registry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import onnx
from onnx import helper

from ..ir import registry
from ..ir.graph import LOOP, STAGE, TERMINATORS, Node, Region
from ..ir.module import Module
from ..ir.shapes import Dimension, ShapeError
from ..ir.types import ArrayType
from ..ir.values import Constant, Operand, Value
from . import linear
from .application import Application, Baked, element_of, type_of
from .checks import Unfit, checked
from .errors import ExportError, Refused
from .model import CUSTOM, ELEMENTS, OPSET, Model, Scope, dtype_for, used_by, value_info
from .prepare import Contents, Prepared, is_source, prepare
from .registry import rule_for
from .spellings import spelled

__all__ = ["Exported", "Exporter", "export"]


class Exported:
    """A model, and the named sizes that are numbers in it, with the place that made them so."""

    def __init__(self, model: onnx.ModelProto, baked: Mapping[str, str]) -> None:
        self.model: Final = model
        self.baked: Final = baked


def export(
    module: Module, name: str, contents: Contents | None = None, *, custom: bool = False
) -> Exported:
    """The model of one graph of a module.

    ``contents`` are arrays that become part of it. With ``custom``, an op that has no export
    becomes an operator of the domain ``jit_lsp``.

    Raises:
        ExportError: there is no model of it.
    """
    prepared = prepare(module, name)
    _check_inputs(prepared)
    contents = contents or {}
    open_ = _open_dimensions(prepared, contents)
    baked: dict[str, str] = {}
    while True:
        exporter = Exporter(prepared, contents, open_, custom=custom)
        try:
            return Exported(exporter.model_of(), baked)
        except Baked as found:  # its size is needed as a number: it is no symbol, then
            baked[found.name] = exporter.at
            open_ = {n: size for n, size in open_.items() if n != found.name}


def _check_inputs(prepared: Prepared) -> None:
    """Raise ``ExportError`` at what takes something that is no array from outside."""
    for value in prepared.inputs:
        try:
            type_of(value)
        except Refused as refused:
            user = next((node for node in value.uses if node in prepared.needed), None)
            what = f"{user.op} has no export: " if user is not None else ""
            span = user.span if user is not None else prepared.graph.span
            raise ExportError(f"{what}{refused.reason}", span) from None


def _open_dimensions(prepared: Prepared, contents: Contents) -> dict[str, Dimension]:
    """The named dimensions of inputs, which may have other sizes at a later run."""
    open_: dict[str, Dimension] = {}
    closed: set[str] = set()
    for value in prepared.inputs:
        for size in type_of(value).sizes:
            if not isinstance(size, Dimension):
                continue
            if value.number in contents or size < 2 or open_.get(size.name, size) != size:
                closed.add(size.name)
            open_[size.name] = size
    return {name: size for name, size in open_.items() if name not in closed}


class Exporter:
    """One walk over a graph."""

    def __init__(
        self,
        prepared: Prepared,
        contents: Contents,
        open_: Mapping[str, Dimension],
        *,
        custom: bool,
    ) -> None:
        self.prepared: Final = prepared
        self.contents: Final = contents
        self.open: Final = open_
        self.custom: Final = custom
        self.model: Final = Model()
        self.names: Final[dict[Value, str]] = {}
        self.bound: Final[set[str]] = set()
        """Names that stand for values of the graph."""
        self.places: Final[dict[str, tuple[str, int]]] = {}
        """An input and its axis for each dimension that is open."""
        self.products: Final = linear.products_with_sums(prepared)
        self.ahead: Final[dict[Value, str]] = {}
        """Values that were made with one before them, which is no value of the model then."""
        self.own_domain = False
        self.at = ""

    def model_of(self) -> onnx.ModelProto:
        """The whole model, checked."""
        scope = Scope(self.model)
        inputs = [info for value in self.prepared.inputs if (info := self.take(value)) is not None]
        self.region(scope, self.prepared.graph.body)
        results = self.results(scope, self.prepared.outputs)
        scope.prune(results)
        used = used_by(scope.nodes) | set(results)
        graph = helper.make_graph(
            scope.nodes,
            self.prepared.graph.name,
            inputs,
            [
                value_info(name, type_of(value).element, None)
                for name, value in zip(results, self.prepared.outputs, strict=True)
            ],
            self.model.initializers(used),
        )
        domains = [helper.make_opsetid("", OPSET)]
        if self.own_domain:
            domains.append(helper.make_opsetid(CUSTOM, 1))
        made = helper.make_model(graph, opset_imports=domains, producer_name="jit-lsp")
        try:
            return checked(made, self.sizes_by_name(), self.open, self.prepared.outputs)
        except Unfit as unfit:
            raise self.unfit(unfit) from None

    def unfit(self, unfit: Unfit) -> ExportError:
        """What an operator doesn't take, told of the op that it stands for."""
        name = unfit.node.partition("/")[0]
        node = next((v.node for v in self.names if self.name_of(v) == name), None)
        if node is None:
            return ExportError(unfit.reason)
        return ExportError(f"{node.op} has no export: {unfit.reason}", node.span, "a wider type")

    def take(self, value: Value) -> onnx.ValueInfoProto | None:
        """Make an input of a value, or a constant where its contents are known."""
        name = self.name_of(value)
        type_ = type_of(value)
        if value.number in self.contents:
            self.names[value] = self.model.weight(self.contents[value.number], name)
            return None
        if type_.element not in ELEMENTS:
            raise ExportError(f"{name} has elements that ONNX hasn't: {type_.element}")
        self.names[value] = self.model.name(name)
        self.bound.add(name)
        for axis, size in enumerate(type_.sizes):
            if isinstance(size, Dimension) and size.name in self.open:
                self.places.setdefault(size.name, (self.names[value], axis))
        return value_info(name, type_.element, type_.sizes, self.open)

    def region(self, scope: Scope, region: Region) -> None:
        """Every node of a region that is needed."""
        for node in region:
            wanted = node in self.prepared.needed and node.op not in TERMINATORS
            if wanted and node.op is not STAGE and not is_source(node):
                self.node(scope, node)

    def node(self, scope: Scope, node: Node) -> None:
        """The operators of one node."""
        self.at = self.place_of(node)
        if node in self.products.absorbed:
            return
        if node.results and node.results[0] in self.ahead:
            self.bind(scope, node, [self.ahead[node.results[0]]])
            return
        try:
            if node.op is LOOP:
                self.loop(scope, node)
            elif node in self.products.sums:
                self.bind(scope, node, [linear.emit(self.application(scope, node), self.products)])
            else:
                self.bind(scope, node, self.apply(scope, node))
        except (Refused, ShapeError) as error:
            refused = error if isinstance(error, Refused) else Refused(str(error))
            if self.custom and not node.regions:
                self.bind(scope, node, self.own(scope, node))
                return
            instead = refused.instead or spelled(node.op)
            raise ExportError(
                f"{node.op} has no export: {refused.reason}", node.span, instead
            ) from None

    def application(self, scope: Scope, node: Node) -> Application:
        """A node as rules see it."""
        info = registry.get(node.op)
        if info is None:
            raise Refused("what it does isn't known")
        if not node.results:
            raise Refused("it gives nothing")
        return Application(self, scope, node, info)

    def apply(self, scope: Scope, node: Node) -> Sequence[str]:
        """The results of an op by its rule."""
        rule = rule_for(node.op)
        info = registry.get(node.op)
        if rule is None:
            effects = info.effects if info is not None else ""
            raise Refused(_WHY.get(effects, "ONNX has no operator for it"))
        found = rule(self.application(scope, node))
        return [found] if isinstance(found, str) else list(found)

    def bind(self, scope: Scope, node: Node, given: Sequence[str]) -> None:
        """Let the results of a node be these values, under the names that the graph has for
        them."""
        for value, name in zip(node.results, given, strict=False):
            if value not in self.ahead and name in self.ahead.values():
                self.names[value] = name  # it is there for one after it
                continue
            fresh = name not in self.bound and name not in self.model.constants
            wanted = self.name_of(value)
            if fresh and scope.rename(name, wanted):
                name = self.model.name(wanted)
            self.names[value] = name
            self.bound.add(name)

    def results(self, scope: Scope, values: Sequence[Operand]) -> list[str]:
        """The names of what a scope gives: each its own, and made there."""
        made = {name for node in scope.nodes for name in node.output}
        found: list[str] = []
        for value in values:
            name = self.names[value] if isinstance(value, Value) else self.literal(value)
            if name not in made or name in found:
                copy = self.model.name(f"{name}/out")
                scope.emit("Identity", [name], [copy])
                name = copy
            found.append(name)
        return found

    def literal(self, operand: Operand) -> str:
        """A constant that a loop hands on."""
        if not isinstance(operand, Constant):
            raise Refused("a loop that hands on what is no array")
        return self.model.constant(np.asarray(operand.value, dtype_for(element_of(operand))))

    def loop(self, scope: Scope, node: Node) -> None:
        """A loop as ``Loop``: how often it turns is known, what is carried goes round."""
        (region,) = node.regions
        count, end = node.attributes["count"], region.terminator
        if count is None or end is None:
            raise Refused("how often it ran isn't known")
        index, *carried = region.parameters
        body = Scope(self.model, scope)
        self.names[index] = self.model.name(self.name_of(index))
        inputs = [value_info(self.names[index], "i64", ())]
        going = self.model.name(f"{self.names[index]}/going")
        inputs.append(value_info(going, "bool", ()))
        for value in carried:
            self.names[value] = self.model.name(self.name_of(value))
            self.bound.add(self.names[value])
            inputs.append(value_info(self.names[value], type_of(value).element, None))
        self.region(body, region)
        on = self.model.name(f"{going}/next")
        body.emit("Identity", [going], [on])
        results = self.results(body, end.operands)
        body.prune([on, *results])
        outputs = [value_info(on, "bool", ())]
        for name, value in zip(results, carried, strict=True):
            outputs.append(value_info(name, type_of(value).element, None))
        graph = helper.make_graph(body.nodes, self.names[index], inputs, outputs)
        starts = [self.names[o] if isinstance(o, Value) else self.literal(o) for o in node.operands]
        names = [self.model.name(self.name_of(value)) for value in node.results]
        for value, name in zip(node.results, names, strict=True):
            self.names[value] = name
        turns = self.model.constant(np.array(count, np.int64))
        scope.emit("Loop", [turns, "", *starts], names, place=self.place_of(node), body=graph)

    def own(self, scope: Scope, node: Node) -> Sequence[str]:
        """An op that has no export, as an operator of our own domain."""
        application = self.application(scope, node)
        inputs: list[str] = []
        attributes: dict[str, Any] = {}
        for name, operand in application.args.items():
            try:
                inputs.append(application.of(operand))
            except Refused:
                attributes[name] = _shown(operand)
        self.own_domain = True
        count = len(node.results)
        return application.emit_many(str(node.op), count, *inputs, domain=CUSTOM, **attributes)

    def name_of(self, value: Value) -> str:
        """A value's hint and number, as the graph text has them."""
        return str(value).removeprefix("%")

    def place_of(self, node: Node) -> str:
        """Where a node stands in the program, without the folder."""
        if node.span is None:
            return ""
        file = node.span.path.replace("\\", "/").rpartition("/")[2]
        return f"{file}:{node.span.line}:{node.span.column + 1}"

    def sizes_by_name(self) -> dict[str, ArrayType]:
        """The types that values have by the trace."""
        return {
            name: type_of(value)
            for value, name in self.names.items()
            if isinstance(value.type, ArrayType)
        }


def _shown(operand: Operand) -> str:
    return repr(operand.value) if isinstance(operand, Constant) else repr(operand)


_WHY: Final = {
    "random": "it draws at random; let the function take what it draws as an argument",
    "io": "it reads or writes a file",
    "outside": "it comes from code that wasn't recorded",
    "uninitialised": "its contents are whatever the memory holds",
    "statistics": "it updates statistics; call eval() on the model first",
    "gradients": "it computes gradients",
    "calls": "it calls code that wasn't traced",
}
"""Why ops with an effect have no export."""
