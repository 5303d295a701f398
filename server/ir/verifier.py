"""Checks of everything that must hold in a graph. A failure names the node and what is wrong there.

Each check has a name; ``CHECKS`` says in a sentence what each holds to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ..doc.source import Span
from . import registry
from .graph import CALL, LOOP, NEXT, RETURN, STAGE, TERMINATORS, YIELD, Node, Region
from .module import Graph, Module
from .opinfo import OpError, OpInfo
from .types import ArrayType, ScalarType, Type
from .values import Constant, Keyword, Value, frozen_attributes, values_of

__all__ = ["CHECKS", "InvalidGraph", "VerifierError", "check", "verify"]

CHECKS: Final[Mapping[str, str]] = {
    "definition": "every value is defined above its use, in the same region or one around it",
    "single-definition": "every value is defined once, and no other has its number",
    "uses": "the uses of a value are the nodes that take it",
    "types": "every value has a type",
    "type-rule": "result types are those that the op's type rule gives",
    "arity": "an op has as many arguments as its signature takes",
    "outputs": "an op has as many results as it declares, after new versions of what it mutates",
    "mutation": "what an op changes is a value, is marked, and has a new version",
    "consumed": "a value that an op changed in place isn't used below; its new version is",
    "captured": "what a region changes in place is its own: others are carried in as parameters",
    "stage": "stages begin in the body of a graph or of a loop",
    "terminator": "a region ends with the one node that fits its owner",
    "loop": "a loop, its parameters, its next values and its results go together",
    "call": "a call fits the graph that it calls, and says what that changes",
    "unknown-op": "ops of the namespace ir are registered",
    "links": "a node stands in the region that lists it",
    "attributes": "attributes are plain values, types, symbols or tuples of them",
}


@dataclass(frozen=True, slots=True)
class VerifierError:
    """What doesn't hold, and where. ``values`` are the operands or results that it is about."""

    check: str
    message: str
    graph: Graph
    node: Node | None = None
    values: tuple[Value, ...] = ()
    advice: str = ""

    @property
    def span(self) -> Span | None:
        """The place in the program."""
        return (self.node.span if self.node is not None else None) or self.graph.span

    def __str__(self) -> str:
        return self.message


class InvalidGraph(Exception):
    """A graph that should have been valid isn't."""

    def __init__(self, errors: Sequence[VerifierError]) -> None:
        super().__init__("; ".join(error.message for error in errors))
        self.errors = tuple(errors)


def verify(module: Module, *, types: bool = False) -> list[VerifierError]:
    """Everything that doesn't hold, in the order of the text. ``types`` runs the type rules too."""
    verifier = _Verifier(module, types)
    for graph in module.graphs.values():
        verifier.run(graph)
    verifier.uses()
    return verifier.errors


def check(module: Module) -> None:
    """Raise ``InvalidGraph`` if anything doesn't hold."""
    errors = verify(module)
    if errors:
        raise InvalidGraph(errors)


class _Verifier:
    def __init__(self, module: Module, types: bool) -> None:
        self.module = module
        self.types = types
        self.errors: list[VerifierError] = []
        self.known = registry.all_ops()
        self.graph: Graph
        self.defined: set[Value] = set()
        self.dead: dict[Value, Node] = {}
        self.values: list[Value] = []
        self.taken = 0  # how many pairs of a node and a value it takes there are
        self.usual: set[tuple[object, ...]] = set()  # ops with counts that were found right

    def fail(
        self, check: str, message: str, node: Node | None, *values: Value, advice: str = ""
    ) -> None:
        self.errors.append(VerifierError(check, message, self.graph, node, values, advice))

    # graphs, regions and nodes, in the order of the text

    def run(self, graph: Graph) -> None:
        self.graph = graph
        self.defined.clear()
        self.dead.clear()
        self.region(graph.body, None)
        end = graph.body.terminator
        if end is None:
            self.fail("terminator", f"@{graph.name} doesn't end with return", None)

    def region(self, region: Region, owner: Node | None) -> None:
        start = len(self.values)
        self.define(region.parameters, region, owner)
        defined, dead, usual = self.defined, self.dead, self.usual
        before, node = None, region.first
        while node is not None:
            if node.region is not region or node.prev is not before:
                self.fail("links", f"{node!r} isn't linked to the region it stands in", node)
            taken = 0
            for operand in node.operands:
                if operand.__class__ is Value:  # nearly all are, and different ones
                    if operand not in defined or operand.uses.get(node) != 1 or operand in dead:
                        taken = self.operands(node)
                        break
                    taken += 1
                elif operand.__class__ is not Constant:
                    taken = self.operands(node)
                    break
            self.taken += taken
            signature = (node.op, len(node.operands), len(node.results))
            plain = not (node.mutated or node.attributes or node.regions or self.types)
            if not plain or signature not in usual:
                self.node(node, node is region.last, signature if plain else None)
            if node.results:
                self.define(node.results, node, node)
            before, node = node, node.next
        if owner is not None:  # what a region defines can't be seen outside
            self.defined.difference_update(self.values[start:])

    def define(self, values: Sequence[Value], owner: Node | Region, node: Node | None) -> None:
        defined, kinds = self.defined, _KINDS
        for value in values:
            if value.owner is not owner or value in defined:
                self.fail("single-definition", f"{value} is defined twice", node, value)
            if value.type.__class__ not in kinds:
                self.fail("types", f"{value} has no type", node, value)
            defined.add(value)
        self.values.extend(values)

    def node(self, node: Node, last: bool, signature: tuple[object, ...] | None) -> None:
        """Everything about a node but what its operands are.

        What has been found right for an op with so many operands and results isn't asked again, if
        it depends on nothing else: ``signature`` is given then.
        """
        found = len(self.errors)
        if node.attributes:
            try:
                frozen_attributes(node.attributes)
            except TypeError as error:
                self.fail("attributes", f"{node.op}: {error}", node)
        if node.op in TERMINATORS:
            self.end(node, last)
        info = self.known.get(node.op)
        if info is not None:
            self.registered(node, info)
        elif node.op.namespace == "ir":
            self.fail("unknown-op", f"{node.op} isn't an op of the graph", node)
        if node.mutated:
            self.mutation(node)
        if node.op.namespace == "ir":
            self.structure(node)
        elif node.regions:
            self.inner(node)
        keywords = any(operand.__class__ is Keyword for operand in node.operands)
        if signature and node.op.namespace != "ir" and len(self.errors) == found and not keywords:
            self.usual.add(signature)

    def operands(self, node: Node) -> int:
        """Check every operand; returns how many different values there are."""
        counts = Counter(node.values())
        for value, count in counts.items():
            if value not in self.defined:
                self.undefined(node, value)
            elif value in self.dead:
                self.consumed(node, value, self.dead[value])
            if value.uses.get(node) != count:
                self.fail("uses", f"{value} doesn't list {node!r} among its uses", node, value)
        return len(counts)

    def consumed(self, node: Node, value: Value, by: Node) -> None:
        new = _successor(by, value)
        self.fail(
            "consumed",
            f"{value} is used after {by.op}{'!' if by.mutated else ''} consumed it",
            node,
            value,
            advice=f"use {new}" if new is not None else "",
        )

    def undefined(self, node: Node, value: Value) -> None:
        message = f"{value} is used where it isn't defined"
        if value.region.graph is not self.graph:
            message = f"{value} belongs to another graph, @{value.region.graph.name}"
        self.fail("definition", message, node, value)

    def registered(self, node: Node, info: OpInfo) -> None:
        least, most = info.arity
        count = len(node.operands) + len(node.attributes)
        if (len(node.operands) < least and count < least) or (most is not None and count > most):
            self.fail("arity", f"{node.op} takes {_range(least, most)}, not {count}", node)
            return
        if info.outputs is not None:
            own = len(node.results) - len(node.mutated)
            written = len(node.mutated) > len(info.mutates)  # in place or into out=
            if own != info.outputs and not (written and own == 0):
                self.fail(
                    "outputs",
                    f"{node.op} has {info.outputs} results, not {own}",
                    node,
                    *node.results,
                )
        missing = [i for i in info.mutated(node.operands, node.attributes) if i not in node.mutated]
        if missing:
            values = [v for i in missing for v in values_of(node.operands[i])]
            names = ", ".join(map(str, values)) or "a constant"
            self.fail("mutation", f"{node.op} changes {names}, but isn't marked", node, *values)
        if self.types:
            self.rule(node)

    def rule(self, node: Node) -> None:
        try:
            wanted = registry.infer(node.op, node.operands, node.attributes, node.mutated)
        except (OpError, IndexError) as error:
            self.fail("type-rule", f"{node.op}: {error}", node)
            return
        for value, type_ in zip(node.results, wanted or (), strict=False):
            if not _agree(value.type, type_):
                self.fail("type-rule", f"{value} is {type_}, not {value.type}", node, value)

    def mutation(self, node: Node) -> None:
        if len(node.results) < len(node.mutated):
            self.fail("mutation", f"{node.op} lacks a new version of what it changes", node)
        if any(not 0 <= index < len(node.operands) for index in node.mutated):
            self.fail("mutation", f"{node.op} has no operand to change at that place", node)
            return
        if len(node.consumed) < len(node.mutated):
            self.fail("mutation", f"{node.op} changes an operand that isn't a value", node)
        self.consume(node, node.consumed)

    def consume(self, node: Node, values: Sequence[Value]) -> None:
        for value in values:
            if value.region is not node.region and value in self.defined:
                self.fail(
                    "captured",
                    f"{node.op} changes {value}, which comes from outside the region",
                    node,
                    value,
                    advice="carry it in as a parameter",
                )
            self.dead[value] = node

    # nodes of the graph's own structure

    def structure(self, node: Node) -> None:
        if node.op is LOOP:
            self.loop(node)
        elif node.op is CALL:
            self.call(node)
        elif node.op is STAGE:
            owner = node.region.owner
            number = node.attributes["stage"]
            if number < 0 or not (isinstance(owner, Graph) or owner.op is LOOP):
                self.fail("stage", f"stage {number} can't begin here", node)
        elif node.op not in TERMINATORS:
            self.inner(node)

    def inner(self, node: Node) -> None:
        """Regions whose parameters are the operands, and whose yield gives the results."""
        for region in node.regions:
            self.region(region, node)
            end = region.terminator
            if end is None:
                self.fail("terminator", f"a region of {node.op} doesn't end with yield", node)
            elif len(end.operands) != len(node.results):
                given, wanted = len(end.operands), len(node.results)
                self.fail("outputs", f"{given} values are given for {wanted} of {node.op}", end)
            self.consume(node, _consumed(region, self.dead, node.operands))

    def loop(self, node: Node) -> None:
        if len(node.regions) != 1 or "count" not in node.attributes:
            self.fail("loop", "a loop has one region and a count", node)
            return
        (region,) = node.regions
        carried = region.parameters[1:]
        if not region.parameters or region.parameters[0].type is not ScalarType("int"):
            self.fail("loop", "the first parameter of a loop is its index, an int", node)
        if not len(carried) == len(node.operands) == len(node.results):
            self.fail(
                "loop",
                f"a loop carries {len(carried)} values, starts with {len(node.operands)} and "
                f"gives {len(node.results)}",
                node,
            )
        self.region(region, node)
        end = region.terminator
        if end is None:
            self.fail("terminator", "a loop doesn't end with next", node)
        elif len(end.operands) != len(carried):
            self.fail("loop", f"next has {len(end.operands)} values, not {len(carried)}", end)
        self.consume(node, _consumed(region, self.dead, node.operands, skip=1))

    def call(self, node: Node) -> None:
        callee = self.module.graphs.get(node.attributes.get("callee", ""))
        if callee is None:
            self.fail("call", f"there is no graph @{node.attributes.get('callee')}", node)
            return
        takes, given = len(callee.parameters), len(node.operands)
        if given != takes:
            self.fail("call", f"@{callee.name} takes {takes} arguments, not {given}", node)
            return
        own = node.results[len(node.mutated) :]
        gives = callee.result_types
        if len(own) != len(gives) or not all(
            value.type is wanted or _renamed(value.type, wanted)
            for value, wanted in zip(own, gives, strict=True)
        ):
            wanted = ", ".join(map(str, callee.result_types)) or "nothing"
            self.fail("call", f"@{callee.name} gives {wanted}", node, *own)
        changes = {
            index
            for index, parameter in enumerate(callee.parameters)
            if any(parameter in user.consumed for user in parameter.uses)
        }
        if changes - set(node.mutated):
            places = ", ".join(str(callee.parameters[index]) for index in sorted(changes))
            self.fail("call", f"@{callee.name} changes {places}, but isn't marked", node)

    def end(self, node: Node, last: bool) -> None:
        if not last:
            self.fail("terminator", f"{node.op.name} isn't the last node of its region", node)
        owner = node.region.owner
        expected = RETURN if isinstance(owner, Graph) else NEXT if owner.op is LOOP else YIELD
        if node.op is not expected:
            self.fail("terminator", f"{node.op.name} can't end this region", node)

    # what only the whole module can tell

    def uses(self) -> None:
        """No two values have one number, and values list as many uses as there are.

        That every use there is is listed was checked above; so none but those are listed, if the
        sums are equal.
        """
        values = self.values
        if len({value.number for value in values}) != len(values):
            self.repeated()
        if sum([len(value.uses) for value in values]) == self.taken:
            return
        nodes = set(self.module.walk())
        for value in values:
            for user in value.uses:
                if user not in nodes or value not in user.values():
                    self.graph = value.region.graph
                    self.fail("uses", f"{value} lists {user!r}, which doesn't take it", None, value)

    def repeated(self) -> None:
        numbers: dict[int, Value] = {}
        for value in self.values:
            if numbers.setdefault(value.number, value) is not value:
                self.graph = value.region.graph
                message = f"{value} and {numbers[value.number]} have the same number"
                self.fail("single-definition", message, value.node, value)


_KINDS: Final = frozenset(Type.__subclasses__())


def _successor(node: Node, value: Value) -> Value | None:
    """The new version of a value that a node consumed."""
    if node.mutated:
        versions = zip(node.consumed, node.results, strict=False)
        return next((new for old, new in versions if old is value), None)
    places = [i for i, operand in enumerate(node.operands) if operand is value]
    return node.results[places[0]] if places and places[0] < len(node.results) else None


def _range(least: int, most: int | None) -> str:
    if least == most:
        return f"{least} argument{'s' * (least != 1)}"
    return f"{least} to {most} arguments" if most else f"{least} or more arguments"


def _consumed(
    region: Region, dead: Mapping[Value, Node], operands: Sequence[object], skip: int = 0
) -> list[Value]:
    """The operands whose parameters were changed in place in a region."""
    return [
        operand
        for parameter, operand in zip(region.parameters[skip:], operands, strict=False)
        if parameter in dead and isinstance(operand, Value)
    ]


def _renamed(a: Type, b: Type) -> bool:
    """Whether two types differ in the names of dimensions alone."""
    if not (isinstance(a, ArrayType) and isinstance(b, ArrayType)):
        return False
    return a.named(()) is b.named(())


def _agree(a: Type, b: Type) -> bool:
    if not (isinstance(a, ArrayType) and isinstance(b, ArrayType)):
        return True  # an array of one element and a Python scalar are told apart at run time only
    return (
        a.element == b.element
        and a.ndim == b.ndim
        and all(None in (m, n) or m == n for m, n in zip(a.sizes, b.sizes, strict=True))
    )
