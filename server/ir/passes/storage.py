"""Which values are one array made in a graph, whole or seen through views.

An array can be followed if every value that may share its memory is a version of it, a loop's way
of carrying it round, or surely a view; and if each write has a form that gives a new array, which
every view on the way can put back. ``follow`` finds that out; it changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .. import registry
from ..elements import NUMBERS
from ..graph import CALL, LOOP, Node, Region
from ..module import Graph
from ..types import ArrayType, itemsize
from ..values import Value
from .writes import Form, array_type, form_of

__all__ = ["Followed", "Storage", "View", "follow", "is_new"]


@dataclass(slots=True, eq=False)
class Storage:
    """An array made in a graph. ``root`` is the value that stands for all of it at the place where
    a pass is, ``region`` the region of that; ``turn`` counts what took its place. ``loops`` are
    those that carry it, or write to it."""

    root: Value
    type: ArrayType
    region: Region
    turn: int = 0
    loops: dict[Node, None] = field(default_factory=dict)

    def becomes(self, root: Value) -> None:
        """From here on, ``root`` stands for it."""
        self.root, self.region = root, root.region
        self.turn += 1


@dataclass(slots=True, eq=False)
class View:
    """All of a storage, or what ``node`` shows of ``base``. ``value`` shows it as of ``turn``."""

    storage: Storage
    value: Value
    base: View | None = None
    node: Node | None = None
    turn: int = 0

    def up(self) -> Iterator[View]:
        """Itself and the views it is taken of, but for the whole."""
        view = self
        while view.base is not None:
            yield view
            view = view.base


@dataclass(frozen=True, slots=True)
class Followed:
    """A storage, the values that show it, and the forms of the nodes that write to it."""

    storage: Storage
    views: dict[Value, View]
    forms: dict[Node, Form]


def follow(members: Sequence[Value]) -> Followed | None:
    """How these values, which are all that may share some memory, belong to one array."""
    views: dict[Value, View] = {}
    roots: list[Value] = []
    for member in members:
        chain: list[Value] = []
        value: Value | None = member
        while value is not None and value not in views:
            chain.append(value)
            value = _origin(value)
        if value is None:
            roots.append(chain.pop())
            if len(roots) > 1 or not _is_root(roots[0]):
                return None
            views[roots[0]] = _whole(roots[0])
        for value in reversed(chain):
            views[value] = _seen(value, views)
    (root,) = roots
    followed = Followed(views[root].storage, views, {})
    right = all(array_type(value) is not None and _used_well(value, followed) for value in views)
    return followed if right else None


def is_new(node: Node) -> bool:
    """Whether the results of a node are surely arrays of its own."""
    info = registry.get(node.op)
    if info is None or node.regions or node.op is CALL or info.effects == "outside":
        return False
    return registry.shares(node) is False


def _origin(value: Value) -> Value | None:
    """What a value is a version of, or a view, or what a loop began with; None for others."""
    node, place = value.node, 0
    if node is None:
        owner = value.region.owner
        if isinstance(owner, Graph) or owner.op is not LOOP:
            return None
        node, place = owner, value.region.parameters.index(value) - 1
    elif node.op is LOOP or value in node.results[: len(node.mutated)]:
        place = node.results.index(value)
        if node.op is not LOOP:
            return node.consumed[place] if len(node.consumed) == len(node.mutated) else None
    elif registry.shares(node) is not True:
        return None
    origin = node.operands[place]
    return origin if isinstance(origin, Value) else None


def _is_root(value: Value) -> bool:
    node, type_ = value.node, array_type(value)
    if node is None or type_ is None or value in node.results[: len(node.mutated)]:
        return False
    if not type_.ndim or type_.element not in NUMBERS or not _dense(type_):
        return False
    return node.op is not LOOP and is_new(node)


def _whole(root: Value) -> View:
    type_ = array_type(root)
    assert type_ is not None  # _is_root says so
    return View(Storage(root, type_, root.region), root)


def _seen(value: Value, views: dict[Value, View]) -> View:
    """The view that a value is, which is the one of its origin for a version."""
    origin, node = _origin(value), value.node
    assert origin is not None  # the chain goes on there
    base = views[origin]
    if node is None or node.op is LOOP or value in node.results[: len(node.mutated)]:
        return base
    return View(base.storage, value, base, node)


def _used_well(value: Value, followed: Followed) -> bool:
    """Whether what writes to a value, or carries it round, can be followed; notes how."""
    for user in value.uses:
        if value not in user.consumed:
            continue
        form = form_of(user, followed.views)
        if form is None or not all(map(_can_put_back, followed.views[value].up())):
            return False
        followed.forms[user] = form
        if not _note_loops(user.region, followed.storage):
            return False
    loop = value.region.owner if value.node is None else value.node
    if isinstance(loop, Graph) or loop.op is not LOOP:
        return True
    if not _is_carried(loop, value, followed):
        return False
    if followed.views[value].base is not None:
        return True  # it is read, as anywhere else
    followed.storage.loops[loop] = None
    return _note_loops(loop.region, followed.storage)


def _is_carried(loop: Node, value: Value, followed: Followed) -> bool:
    """Whether what a loop carries in a place shows the same of the storage in every turn."""
    (region,) = loop.regions
    end = region.terminator
    if end is None:
        return False
    inside = region.parameters[1:]
    place = inside.index(value) if value.node is None else loop.results.index(value)
    wanted = array_type(value)
    assert wanted is not None  # the values of a storage are arrays
    for one in (loop.operands[place], inside[place], end.operands[place], loop.results[place]):
        view = followed.views.get(one) if isinstance(one, Value) else None
        type_ = array_type(one)
        if view is not followed.views[value] or type_ is None:
            return False
        if (type_.element, type_.sizes) != (wanted.element, wanted.sizes):
            return False
    return True


def _note_loops(region: Region, storage: Storage) -> bool:
    """Note the loops around a region in which a storage changes; False if one isn't a loop."""
    home = storage.region
    while region is not home:
        owner = region.owner
        if isinstance(owner, Graph) or owner.op is not LOOP:
            return False
        storage.loops[owner] = None
        region = owner.region
    return True


def _can_put_back(view: View) -> bool:
    node, base = view.node, view.base
    assert node is not None and base is not None  # it isn't the whole
    info = registry.get(node.op)
    assert info is not None  # it surely is a view
    if info.put_back is not None:
        return not node.attributes
    if info.permutes is not None:
        return registry.permutation(node) is not None
    type_ = array_type(node.operands[0])
    return info.regroups and type_ is not None and None not in type_.sizes


def _dense(type_: ArrayType) -> bool:
    """Whether an array has no gaps in memory, as a new one hasn't; it is if nothing is known."""
    width = itemsize(type_.element)
    if type_.strides is None or width is None or 0 in type_.sizes:
        return True
    pairs = zip(type_.strides, type_.sizes, strict=True)
    for stride, size in sorted((stride, size) for stride, size in pairs if size != 1):
        if stride != width:
            return False
        width *= size or 1
    return True
