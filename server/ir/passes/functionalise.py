"""Turns writes in place into ops that give a new array, where nobody could tell the difference.

An array that can be followed (see ``storage``) gets a new value at each write: what is written into
a view is put back into what it is a view of, up to the array itself, and what is read later is
taken anew from there. So every array that is read lies in memory as it did.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .. import registry
from ..aliasing import Aliasing
from ..graph import LOOP, NEXT, Node
from ..module import Graph, Module
from ..symbol import Symbol
from ..values import Attribute, Operand, Value, substitute
from .manager import Pass
from .storage import Followed, Storage, View, follow, is_new
from .writes import append_plain, array_type, form_of, written_over


def run(module: Module) -> None:
    """Rewrite every write into memory that can be followed, or that has no views at all."""
    aliasing = Aliasing(module)
    followed: list[Followed] = []
    seen: set[Value] = set()
    for node in [node for node in module.walk() if node.mutated]:
        for target in node.consumed:
            members = aliasing.shared(target)
            if members[0] in seen:
                continue
            seen.add(members[0])
            found = follow(members)
            if found is not None:
                followed.append(found)
            elif all(map(_only_a_version, members)):
                _write_out(members)
    if followed:
        _Rewriting(followed).run(module)


def _only_a_version(value: Value) -> bool:
    """Whether a value is an array just made, or a later version of one, but no view of one."""
    node = value.node
    if node is None:
        return not isinstance(value.region.owner, Graph) and value.region.owner.op is LOOP
    return node.op is LOOP or value in node.results[: len(node.mutated)] or is_new(node)


def _write_out(members: Sequence[Value]) -> None:
    """Rewrite the writes into an array that has no views, as far as they have forms."""
    writes = dict.fromkeys(u for value in members for u in value.uses if value in u.consumed)
    known = set(members)
    forms = {node: form for node in writes if (form := form_of(node, known)) is not None}
    scalar = any(not form.target.sizes for form in forms.values())
    if scalar and not (len(forms) == len(writes) and all(f.fits_scalars for f in forms.values())):
        return  # an array without dimensions would become one of NumPy's scalars too early
    for node, form in forms.items():
        (target,), (old,) = node.consumed, node.results
        value = append_plain(form, node, list(node.operands))
        old.replace_uses(written_over(target, form.target, value, form.alike, node))
        node.erase()


class _Rewriting:
    """One walk over a module, in which followed storages become what is written to them."""

    def __init__(self, followed: list[Followed]) -> None:
        self.views: Final = {v: view for one in followed for v, view in one.views.items()}
        self.forms: Final = {node: form for one in followed for node, form in one.forms.items()}
        self.loops: Final[dict[Node, list[Storage]]] = {}
        for one in followed:
            for loop in one.storage.loops:
                self.loops.setdefault(loop, []).append(one.storage)
        self.places: Final[dict[Node, list[int]]] = {}
        self.old: Final[list[Node]] = []

    def run(self, module: Module) -> None:
        """Rewrite what reads and writes, then take out what nothing needs any more."""
        for node in list(module.walk()):
            if node in self.forms:
                self.write(node)
            elif node in self.loops:
                self.enter(node, self.loops[node])
            elif node.op is NEXT and node.region.owner in self.loops:
                self.leave(node, node.region.owner, self.loops[node.region.owner])
            else:
                self.pass_by(node)
        for node in reversed(self.old):
            if not any(result.uses for result in node.results):
                node.erase()

    def pass_by(self, node: Node) -> None:
        """Let a node read what is there now. A view that it takes is up to date then."""
        if any(value in self.views for value in node.values()):
            node.set_operands(self.current(node))
        for result in node.results:
            view = self.views.get(result)
            if view is not None and view.node is node:
                view.turn = view.storage.turn
                self.old.append(node)

    def write(self, node: Node) -> None:
        """Compute what a node writes, and put it back up to the storage."""
        form, operands = self.forms[node], self.current(node)
        view: View = self.views[node.consumed[0]]
        value, alike = append_plain(form, node, operands), form.alike
        for each in view.up():
            value, alike = self.put_back(each, value, alike, node)
        storage = view.storage
        storage.becomes(written_over(storage.root, storage.type, value, alike, node))
        self.old.append(node)

    def put_back(self, view: View, value: Value, alike: bool, before: Node) -> tuple[Value, bool]:
        """What a view is of, with ``value`` in the place of the view, and whether it lies alike."""
        assert view.node is not None and view.base is not None  # it isn't the whole
        node, info = view.node, registry.get(view.node.op)
        given, wanted = array_type(value), array_type(node.operands[0])
        assert info is not None and given is not None and wanted is not None  # else not followed
        type_ = wanted.with_(element=given.element, strides=None)
        operands: list[Operand] = [value]
        attributes: dict[str, Attribute] = {}
        order = registry.permutation(node)
        if info.put_back is not None:
            base = self.read(view.base, before)
            op, operands = info.put_back, [base, *node.operands[1:], value]
            type_, alike = wanted.with_(strides=None), True
        elif order is not None:
            back = tuple(sorted(range(len(order)), key=order.__getitem__))
            op, attributes = "np.transpose", {"axes": back}
        else:
            op, attributes = "np.reshape", {"shape": wanted.sizes}
        made = before.region.append(
            Symbol.parse(op),
            operands,
            [type_],
            [view.base.value.hint],
            attributes,
            before.span,
            before.call_path,
            before=before,
        )
        return made.result, alike

    def current(self, node: Node) -> list[Operand]:
        """The operands of a node, with what shows storages as they now are."""
        new: dict[Value, Operand] = {}
        for value in node.values():
            view = self.views.get(value)
            if view is not None:
                new[value] = self.read(view, node)
        return [substitute(operand, new) for operand in node.operands] if new else [*node.operands]

    def read(self, view: View, before: Node) -> Value:
        """What shows a view now, taken anew if its storage has changed."""
        storage = view.storage
        stale = [each for each in view.up() if each.turn != storage.turn]
        while before.region is not storage.region:
            assert isinstance(before.region.owner, Node)  # the storage is defined around
            before = before.region.owner
        for each in reversed(stale):
            node, base = each.node, each.base
            assert node is not None and base is not None  # it isn't the whole
            source = base.value if base.base is not None else storage.root
            made = storage.region.append(
                node.op,
                [source, *node.operands[1:]],
                [node.results[0].type],
                [node.results[0].hint],
                node.attributes,
                node.span,
                node.call_path,
                note=node.note,
                before=before,
            )
            each.value, each.turn = made.result, storage.turn
        return view.value if view.base is not None else storage.root

    def enter(self, loop: Node, storages: list[Storage]) -> None:
        """Go into a loop that carries storages, or is made to."""
        views = [self.views.get(o) if isinstance(o, Value) else None for o in loop.operands]
        loop.set_operands(self.current(loop))
        places = self.places[loop] = []
        for storage in storages:
            known = [i for i, v in enumerate(views) if v and v.storage is storage and not v.base]
            places.append(known[0] if known else len(loop.operands))
            if not known:
                loop.carry(storage.root)
            storage.becomes(loop.regions[0].parameters[places[-1] + 1])

    def leave(self, end: Node, loop: Node, storages: list[Storage]) -> None:
        """Go out of a loop, by the node that gives what its next turn starts with."""
        values, known = self.current(end), len(end.operands)
        places = self.places[loop]
        values += [s.root for s, place in zip(storages, places, strict=True) if place >= known]
        end.set_operands(values)
        for storage, place in zip(storages, places, strict=True):
            storage.becomes(loop.results[place])


PASS = Pass("functionalise", "Writes in place become new arrays.", run, level=2, order=30)
