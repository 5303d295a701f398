"""Reverse mode: one sweep over nodes, the last first, that hands gradients from results back.

What the sweep writes are ordinary nodes, each at the place of the node it is the derivative of. So
it can be swept again for derivatives of derivatives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from .. import registry
from ..again import paths_of
from ..aliasing import Aliasing
from ..expressions import Expr, Untyped, Writer, fit
from ..graph import CALL, LOOP, STAGE, TERMINATORS, Node
from ..opinfo import OpError, OpInfo, Unknown, array_of
from ..shapes import ShapeError
from ..symbol import Symbol
from ..values import Attribute, Constant, Keyword, Operand, Pack, Value, substitute, values_of
from .activity import active_in, is_smooth
from .application import FLAT, Application, NoDerivative, Through, Unsupported, evaluate

__all__ = ["AUTOGRAD", "NotDifferentiable", "Reverse"]


class NotDifferentiable(Exception):
    """The derivative would have to go through ``node``, and can't."""

    def __init__(self, node: Node, reason: str) -> None:
        super().__init__(f"{node.op}: {reason}" + (f" ({node.span})" if node.span else ""))
        self.node: Final = node
        self.reason: Final = reason


class Reverse:
    """Gradients of values so far, by way of those that are ``active``.

    ``aliasing`` says which values are changed in place: of those that a derivative needs, a copy
    is kept from before. ``suffix`` ends the names of gradients: that of ``w`` is ``w.grad``.
    ``backward`` names the derivatives of opaque code.
    """

    def __init__(
        self,
        writer: Writer,
        active: set[Value],
        aliasing: Aliasing,
        suffix: str = "grad",
        backward: Mapping[Symbol, Symbol] = MappingProxyType({}),
    ) -> None:
        self.writer: Final = writer
        self.active: Final = active
        self.aliasing: Final = aliasing
        self.suffix: Final = suffix
        self.backward: Final = backward
        self.gradients: Final[dict[Value, Expr]] = {}
        self._kept: Final[dict[tuple[Value, Node], Value]] = {}

    def of(self, value: Value) -> Expr:
        """The gradient of a value; zeros where nothing depends on it."""
        found = self.gradients.get(value)
        return found if found is not None else self.writer.zeros(array_of(value))

    def add(self, value: Value, gradient: Expr) -> None:
        """A part of the gradient of a value. Of a real one it is real, whatever was on the way."""
        gradient = fit(gradient, array_of(value))
        before = self.gradients.get(value)
        if before is not None:
            gradient = before + gradient
        made = gradient.operand
        if isinstance(made, Value) and made.hint is None and value.hint is not None:
            made.hint = f"{value.hint}.{self.suffix}"
        self.gradients[value] = gradient

    def sweep(self, nodes: Sequence[Node]) -> None:
        """Hand on the gradients of what ``nodes`` give to what they take."""
        for node in reversed(nodes):
            wanted = any(value in self.active for value in node.values()) or node.op is LOOP
            if not wanted or not any(result in self.gradients for result in node.results):
                continue
            self.writer.at(node)
            try:
                self._node(node)
            except (Unsupported, Untyped, Unknown) as error:
                reason = str(error) if not isinstance(error, Unknown) else f"{error} isn't constant"
                raise NotDifferentiable(node, reason) from error
            except (OpError, ShapeError) as error:
                raise NotDifferentiable(node, f"its derivative can't be written: {error}") from None

    def _node(self, node: Node) -> None:
        if node.op is LOOP:
            from .loops import reverse_loop  # it sweeps the body in its turn

            reverse_loop(self, node)
            return
        if node.op in TERMINATORS or node.op is STAGE:
            return
        if node.op is EVAL:
            self._evaluated(node)
            return
        if node.op is CALL:
            raise Unsupported("the call isn't written out, since the function calls itself")
        info = registry.get(node.op)
        handle = self._handle(node) if info is None else None
        if handle is not None:
            self._opaque(node, handle)
            return
        if node.mutated:
            raise Unsupported("it changes an array in place that can't be followed")
        if info is None or node.regions:
            raise Unsupported("what it does wasn't traced")
        if info.gradient is None:
            raise Unsupported(node.note or "its derivative isn't known")
        if isinstance(info.gradient, NoDerivative):
            raise Unsupported(info.gradient.reason)
        if info.gradient is FLAT:
            return
        self._application(node, info)

    def _application(self, node: Node, info: OpInfo) -> None:
        args = info.bind(node.operands, node.attributes)
        gradients = [self.gradients.get(result) for result in node.results]
        at = Application(node, info, args, gradients, self.writer, lambda v: self.kept(v, node))
        if isinstance(info.gradient, Through):
            self._through(info.gradient, at)
            return
        rules = at.rules()
        for name, operand in args.items():
            if not any(value in self.active for value in values_of(operand)):
                continue
            if name not in rules:
                raise Unsupported(f"its derivative by the argument {name} isn't known")
            given = evaluate(rules[name], at)
            if given is not None:
                self._hand(operand, given)

    def _handle(self, node: Node) -> Symbol | None:
        """What gives the derivative of code that wasn't traced: a function that the program names
        for it, or the node of autograd that came with what it gave."""
        if node.op in self.backward:
            return self.backward[node.op]
        kept = node.attributes.get("grad_fn")
        return Symbol(AUTOGRAD, str(kept)) if kept and not node.mutated else None

    def _opaque(self, node: Node, by: Symbol) -> None:
        """Keep what a call of opaque code took, and evaluate its derivative with that."""
        given = [(o.name, o.item) if isinstance(o, Keyword) else (None, o) for o in node.operands]
        given += [(n, Constant(v)) for n, v in node.attributes.items() if n != "grad_fn"]
        attributes: dict[str, Attribute] = {"by": by}
        if any(name is not None for name, _ in given):
            attributes["names"] = tuple(name for name, _ in given)
        self._saved(node, node, [operand for _, operand in given], attributes)

    def _evaluated(self, node: Node) -> None:
        """The derivative of a derivative of opaque code: a handle with what that took, too."""
        handle, *gradients = node.operands
        save = handle.node if isinstance(handle, Value) else None
        if save is None or save.op is not SAVE or "of" in save.attributes:
            raise Unsupported("its own derivative isn't known")
        by = save.attributes["by"]
        if by.namespace != AUTOGRAD and by not in self.backward:
            raise Unsupported(f"the program names no function that is the backward of {by.name}")
        attributes: dict[str, Attribute] = {"by": self.backward.get(by, by)}
        if "names" in save.attributes:
            attributes["names"] = (*save.attributes["names"], *[None] * len(gradients))
        attributes["of"] = (len(save.operands), node.attributes["places"])
        self._saved(node, save, [*save.operands, *gradients], attributes)

    def _saved(
        self,
        node: Node,
        call: Node,
        operands: Sequence[Operand],
        attributes: Mapping[str, Attribute],
    ) -> None:
        """Keep operands before a node, and evaluate by them its derivative, which is that of a
        ``call``."""
        taken = [value for operand in operands for value in values_of(operand)]
        pairs = zip(paths_of(operands), taken, strict=True)
        wanted = [(path, value) for path, value in pairs if value in self.active]
        saving = Writer(node.region, node)
        saving.at(node)
        kept: dict[Value, Operand] = {value: self.kept(value, node) for value in taken}
        operands = [substitute(operand, kept) for operand in operands]
        handle = saving.apply("ir.save", operands, attributes)
        assert isinstance(handle.operand, Value) and handle.operand.node is not None
        handle.operand.node.call = call.call
        gradients = [self.of(result) for result in node.results if is_smooth(result.type)]
        types = [array_of(value).with_(strides=None) for _, value in wanted]
        places = tuple(path for path, _ in wanted)
        made = self.writer.apply("ir.eval", [handle, *gradients], {"places": places}, types)
        parts = made if isinstance(made, tuple) else (made,)
        for (_, value), part in zip(wanted, parts, strict=True):
            self.add(value, part)

    def _through(self, form: Through, at: Application) -> None:
        """Write what the op could have been written as, and sweep that."""
        writer = self.writer
        last = writer.before.prev if writer.before is not None else writer.region.last
        made = evaluate(form.form, at)
        nodes: list[Node] = []
        node = last.next if last is not None else writer.region.first
        while node is not None and node is not writer.before:
            nodes.append(node)
            node = node.next
        self.active.update(active_in(nodes, self.active))
        for gradient, result in zip(
            at.gs, made if isinstance(made, tuple) else [made], strict=True
        ):
            if isinstance(result, Expr) and isinstance(result.operand, Value):
                self.add(result.operand, gradient)
        self.sweep(nodes)

    def _hand(self, operand: Operand, given: object) -> None:
        """Hand what a rule gave to the values of an operand."""
        match operand:
            case Keyword(item=item):
                self._hand(item, given)
            case Pack(items=items):
                for place, item in enumerate(items):
                    if any(value in self.active for value in values_of(item)):
                        part = given[place]  # type: ignore[index]
                        if part is not None:
                            self._hand(item, part)
            case Value() if operand in self.active:
                assert isinstance(given, Expr)
                self.add(operand, given)

    def kept(self, value: Value, node: Node) -> Value:
        """What ``value`` was when ``node`` took it or gave it: a copy, if it is changed later."""
        if not self.aliasing.changed(value):
            return value
        copy = self._kept.get((value, node))
        if copy is None:
            before = node.next if value in node.results else node
            made = node.region.append(
                _COPY,
                [value],
                [value.type],
                [value.hint],
                span=node.span,
                call_path=node.call_path,
                before=before,
            )
            copy = self._kept[value, node] = made.result
        return copy


AUTOGRAD: Final = "autograd"
"""The namespace of the nodes that PyTorch keeps for its own derivatives."""
SAVE: Final = Symbol("ir", "save")
EVAL: Final = Symbol("ir", "eval")
_COPY: Final = Symbol("np", "copy")
