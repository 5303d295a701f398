"""A recorded run as data, in the server: what rules, hovers and the graph are made from.

Events are in the order in which they happened. Every event names its site (a place in the text),
the frame it happened in, and the values it took and gave. A value is an :class:`Array` (one object
of the program, whatever happens to its contents), a :class:`Scalar`, a :class:`Pack` of values, or
a :class:`Constant`; None stands for what was not recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ..doc.source import Source, Span
from ..ir import ArrayType, Symbol
from ..ir.context import Under

LOOKED_AT = 5000
"""Events before or after one that are searched for what belongs to it."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """What an array held: of its finite elements, where there are any, and how many are not."""

    mean: float | None
    deviation: float | None
    least: float | None
    most: float | None
    zeros: int
    nans: int
    infinite: int
    sampled: bool
    """Whether only some of the elements were looked at."""


@dataclass(eq=False, slots=True)
class Array:
    """One array object. ``owner`` is the array whose memory it shows; itself where it has its
    own."""

    number: int
    type: ArrayType | None = None
    owner: Array | None = None
    foreign: bool = False
    """Whether the memory belongs to something that is no array of the library."""
    made: Event | None = None
    """The event that first gave it; None where it came from code that is not recorded."""
    names: list[str] = field(default_factory=list)
    """Names that it was bound to, in order, as far as the text shows."""
    contents: bytes | None = field(default=None, repr=False)
    """Its elements at the end of the run, in C order, where they were asked for."""
    statistics: Statistics | None = None
    """Of its elements at the end of the run; None where it was gone by then."""
    gradient: Gradient | None = None
    """For tensors: how it stood to gradients when it was seen last."""
    parameter: str = ""
    """The name that it has in the state of the outermost layer that holds it."""

    @property
    def memory(self) -> Array:
        """The array that owns the memory."""
        return self if self.owner is None else self.owner


@dataclass(frozen=True, slots=True)
class Gradient:
    """How a tensor stands to the graph of gradients.

    ``version`` counts the writes into its memory (-1: not counted). ``node`` numbers the node that
    made it, in the order in which they were made; None for a leaf.
    """

    version: int
    node: int | None
    name: str
    required: bool
    leaf: bool


@dataclass(eq=False, slots=True)
class Thing:
    """A layer of a network, or an optimizer. ``kind`` is the qualified name of its class.

    ``layers``, ``parameters`` and ``buffers`` are by name; an optimizer has parameters alone.
    ``path`` is its name in the outermost layer that holds it, empty for that one itself.
    """

    number: int
    kind: str
    layers: Mapping[str, Thing] = field(default_factory=dict)
    parameters: Mapping[str, Value] = field(default_factory=dict)
    buffers: Mapping[str, Value] = field(default_factory=dict)
    settings: str = ""
    """What the library shows of its configuration: ``in_features=49, out_features=4``."""
    path: str = ""
    owner: Thing | None = None
    """The layer that holds it."""
    made: Event | None = None
    names: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The last part of ``kind``."""
        return self.kind.rpartition(".")[2]

    @property
    def shown(self) -> str:
        """What the program calls it: ``net.encoder.0``, where the outermost layer has a name."""
        outermost = self
        while outermost.owner is not None:
            outermost = outermost.owner
        root = outermost.names[-1] if outermost.names else ""
        return ".".join(part for part in (root, self.path) if part)

    @property
    def is_layer(self) -> bool:
        """Whether it is no optimizer."""
        return not self.kind.startswith("torch.optim.")


@dataclass(frozen=True, slots=True)
class LayerRun:
    """A layer ran, in whatever file it was called. ``first`` and ``last`` number when it began and
    ended: runs and frames whose numbers are between belong to it. ``written`` are the positions of
    operands that it wrote to."""

    layer: Thing
    first: int
    last: int
    operands: tuple[Value, ...]
    result: Value
    training: bool
    written: tuple[int, ...]
    before: int
    """The index of the first event after it."""


@dataclass(frozen=True, slots=True)
class HookRun:
    """A hook of a layer was called: ``before`` it ran, ``after`` it had, or with its ``gradient``.
    What it gave, where that isn't None, took the place of what it was given. ``first`` and ``last``
    are as those of layers.

    ``same`` is no hook: what a layer gets, or gives, becomes another object that shows the same.
    """

    when: str
    layer: Value
    first: int
    last: int
    given: tuple[Value, ...]
    result: Value


Edge: TypeAlias = tuple[int, int]
"""The number of a node of the graph of gradients, and which of the gradients that it takes."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the graph that gradients are computed by.

    ``inputs`` are what it hands gradients to, ``saved`` the names of what it keeps of the forward
    computation, ``leaf`` the tensor whose gradient it adds to, ``number`` its place in the order in
    which nodes were made; leaves have negative ones.
    """

    number: int
    name: str
    inputs: tuple[Edge | None, ...]
    saved: tuple[str, ...]
    leaf: Array | None
    takes: tuple[ArrayType | None, ...] = ()
    """The types of the gradients that it takes, by their places."""
    kept: tuple[tuple[str, tuple[Value, ...]], ...] = ()
    """The tensors that it keeps, by name."""
    sum: Value = None
    """For a leaf: its gradient after the pass."""


@dataclass(frozen=True, slots=True)
class Backward:
    """Gradients were computed at ``event``, from ``roots`` on. ``blame`` is the node that made the
    first NaN of them.

    Where they are to be differentiated again, the pass makes nodes itself, from the number
    ``since`` on: ``made`` has the nodes in the order in which they ran, and the numbers of those
    that their gradients came out of.

    ``passed`` has, by nodes, the gradients that each took and gave as its hooks left them, as far
    as those had to do with them.

    ``like`` is the first pass that was like it. Of a late one, it may not be known what its nodes
    take and keep; of one in ``Trace.repeated``, all but the event is that first one's.
    """

    event: Event
    nodes: tuple[Node, ...]
    roots: tuple[Edge, ...]
    blame: int | None
    since: int
    made: tuple[tuple[int, tuple[int | None, ...]], ...]
    passed: Mapping[int, tuple[tuple[Value, ...], tuple[Value, ...]]] = field(default_factory=dict)
    like: Backward | None = None

    @property
    def form(self) -> Backward:
        """The pass by whose nodes it is known what this one did: itself, or the first alike."""
        if self.like is None:
            return self
        own = self.nodes is not self.like.nodes and any(node.takes for node in self.nodes)
        return self if own else self.like

    @property
    def accumulates(self) -> bool:
        """Whether it added to the gradients of leaves; ``torch.autograd.grad`` gives them."""
        return not isinstance(self.event.result, Array | Pack)


@dataclass(frozen=True, slots=True)
class Hook:
    """A function that PyTorch calls with what goes through a tensor or a layer, registered by the
    method ``by``. ``scopes`` are the numbers of the functions that it may be."""

    of: Value
    scopes: frozenset[int]
    by: str


@dataclass(eq=False, slots=True)
class Scalar:
    """An array scalar, such as a sum gives."""

    number: int
    type: ArrayType
    value: object
    made: Event | None = None


@dataclass(frozen=True, slots=True)
class Constant:
    """A Python number, or (``kind`` alone) any other object that is known by its type."""

    value: object
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Pack:
    """The arrays and numbers of a tuple, or of a list."""

    items: tuple[Value, ...]
    listed: bool = False


Value: TypeAlias = "Array | Scalar | Constant | Pack | Thing | None"


@dataclass(frozen=True, slots=True)
class SiteOperand:
    """An operand as the text has it; see ``sites.Operand``."""

    role: str
    form: str
    span: Span
    site: int | None
    name: str
    """The dotted name for the forms ``name`` and ``attribute``, else empty."""
    bracket: str = ""
    """Where it is an item of tuples or lists written out in the role: ``(`` or ``[`` of each, from
    the outermost, and the number of the item there, as in ``[0(2``."""

    @property
    def recorded(self) -> bool:
        """Whether events carry a value for it."""
        return self.form in ("name", "attribute", "site")


@dataclass(frozen=True, slots=True)
class Site:
    """A place that was recorded; see ``sites.Site``."""

    number: int
    kind: str
    span: Span
    scope: int
    loop: int | None
    callee: str
    certain: bool
    discarded: bool
    unpacked: bool
    """Whether ``targets`` get the items of the result rather than the result."""
    operands: tuple[SiteOperand, ...]
    targets: tuple[tuple[str, Span], ...]

    def bound(self, result: Value) -> list[tuple[str, Value]]:
        """The names that get ``result``, or its items, at once, and what each gets."""
        if not self.unpacked:
            return [(name, result) for name, _ in self.targets if name]
        items = result.items if isinstance(result, Pack) else ()
        names = (name for name, _ in self.targets)
        return [(name, item) for name, item in zip(names, items, strict=False) if name]

    @property
    def is_call(self) -> bool:
        """Whether it is a call, of whatever kind."""
        return self.kind == "call"


@dataclass(frozen=True, slots=True)
class Scope:
    """A module, class body, function or lambda."""

    number: int
    kind: str
    name: str
    span: Span
    parent: int | None
    parameters: tuple[str, ...]
    locals: frozenset[str]
    """Names that its own body binds."""
    rebound: frozenset[str]
    """Names that get a value there from something that is no site, such as ``a = b``."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop statement. ``target`` is the text of what ``for`` binds."""

    number: int
    scope: int
    span: Span
    parent: int | None
    target: str


@dataclass(eq=False, slots=True)
class Frame:
    """One recorded execution of a scope. ``call`` is the event in the caller that ended it.

    ``thread`` is that in which it ran; 0: the program's own. Other threads run in lines: one for
    each function that nothing of the program called. Such a function's ``parent`` is the frame that
    ran in the program's own thread as it began, and ``call`` one that ended after it, such as of
    ``join``."""

    number: int
    scope: Scope
    parent: Frame | None = None
    call: Event | None = None
    arguments: dict[str, Value] = field(default_factory=dict)
    """Parameters, as first seen in an operation."""
    under: Under = ()
    """What its caller ran under; see ``ir.context``."""
    line: int = 0
    thread: int = 0

    @property
    def begins_line(self) -> bool:
        """Whether nothing of the program called it, in a thread of its own."""
        return self.line > 0 and (self.parent is None or self.parent.line != self.line)


@dataclass(eq=False, slots=True)
class LoopRun:
    """One execution of a loop. ``iterations`` counts plain ones too; ``events`` is the range of the
    indices of the events inside, those of called functions included."""

    loop: Loop
    frame: Frame
    iterations: int = 0
    events: range = range(0)
    under: Under = ()
    """What its first recorded iteration began under."""


@dataclass(eq=False, slots=True)
class Event:
    """Something that happened at a site.

    ``kind`` is ``op`` (an operation gave ``result``) or ``store`` (``operands[0]`` was written to).
    ``operands`` stand beside ``site.operands``; None for those that were not recorded.
    """

    index: int
    kind: str
    site: Site
    frame: Frame
    result: Value
    operands: tuple[Value, ...]
    iteration: tuple[int, ...] = ()
    """How many iterations of each enclosing loop, outermost first, had begun; plain ones count."""
    entered: tuple[Frame, ...] = ()
    """The frames that ran inside, where it called recorded functions."""
    lost: bool = False
    """For stores: nobody held the array that was written."""
    dead: tuple[bool, ...] = ()
    """For calls that gave None: which operands nobody held afterwards."""
    changed: tuple[int, ...] = ()
    """For calls of what is not recorded: the positions of operands that it wrote into, as far as
    their elements were looked at before and after."""
    reached: tuple[Array, ...] = ()
    """And arrays that it wrote into by way of what it was given or called on: items of a list, an
    attribute of an object."""
    call: int | None = None
    """For calls of what is not recorded: which call it was, where the worker can be asked to make
    it again."""
    gradients: Mapping[int, Gradient] = field(default_factory=dict)
    """For tensors among the results, by number: how they stood to gradients right after."""
    layers: tuple[LayerRun, ...] = ()
    """The layers that ran inside, as they ended, those inside others included."""
    hooks: tuple[HookRun, ...] = ()
    """The hooks of layers that were called inside, as they ended."""
    updated: tuple[tuple[Array, Value], ...] = ()
    """For a step of an optimizer: the parameters that it wrote, and the gradient of each."""
    under: Under = ()
    """What it ran under, all in all; see ``ir.context``."""
    symbol: Symbol | None = None
    """Its operation, once somebody has asked ``operations.symbol_of``."""

    def operand(self, role: str) -> Value:
        """The operand in a role, None where there is none."""
        for where, value in zip(self.site.operands, self.operands, strict=False):
            if where.role == role:
                return value
        return None

    @property
    def in_place(self) -> bool:
        """Whether an augmented assignment wrote into the array that the name held."""
        return (
            self.site.kind.startswith("inplace:")
            and self.kind == "op"
            and isinstance(self.result, Array)
            and bool(self.operands)
            and self.operands[0] is self.result
        )

    @property
    def written(self) -> tuple[Array, ...]:
        """The arrays whose elements it certainly wrote, whatever operation it is."""
        if self.kind == "store" and isinstance(self.operands[0], Array):
            return (self.operands[0],)
        if self.changed or self.reached:
            direct = (self.operands[i] for i in self.changed)
            return *(a for a in direct if isinstance(a, Array)), *self.reached
        return (self.result,) if self.in_place and isinstance(self.result, Array) else ()


@dataclass(frozen=True, slots=True)
class NotFinite:
    """A result had NaNs, and the program did not say that it expects them.

    No operand had one, unless it is ``carried``: then it is the first that was seen at its site.
    """

    event: Event
    count: int
    index: int
    """Of the first, in C order."""
    values: tuple[object, ...] = ()
    """The numbers that met there, beside ``event.operands``; meant for elementwise operations."""
    carried: bool = False


@dataclass(frozen=True, slots=True)
class Remark:
    """What only the moment of an event could tell of its values. ``details`` by kind:

    - ``wrapped``: how many integers of the result are not the exact ones; of the first: the left
      and the right operand, what would be exact, and what it is.
    - ``cut``: how many numbers with a fraction were stored into integers, and the first. The event
      is the store, or the one that gave the value.
    - ``repeated``: how many elements were updated, how many different ones, how often the most
      frequent, and its index. The event is the store, or the one that gave the index.
    - ``traced``: nothing; it was an operation that ``torch.jit.trace`` wrote down.
    """

    kind: str
    event: Event
    details: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Break:
    """A place at which a compiler could not follow the program, and why, in its words."""

    span: Span
    reason: str


@dataclass(frozen=True, slots=True)
class Call:
    """One level of a traceback. ``known``: in a file that is recorded."""

    span: Span
    function: str
    known: bool


@dataclass(frozen=True, slots=True)
class Stale:
    """What a node had kept for its gradient, and can't have any more. ``kept`` is its name there;
    ``version`` and ``expected`` are those of the tensor now and then."""

    node: int
    name: str
    kept: str
    version: int
    expected: int
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """The exception that ended the program, and what the innermost recorded operation got."""

    type: str
    module: str
    message: str
    notes: tuple[str, ...]
    calls: tuple[Call, ...]
    site: Site | None = None
    truth: bool = False
    """Whether it was raised by asking for a truth value."""
    operands: tuple[tuple[str, Span, Value], ...] = ()
    """Role, place and value of each operand."""
    blocked: tuple[str, str] | None = None
    """What the sandbox refused, if that led to it: the effect, as ``blocked`` names them, and its
    path."""
    layers: tuple[tuple[Thing, tuple[Value, ...]], ...] = ()
    """The layers that were running, outermost first, and what each was given."""
    stale: tuple[Stale, ...] = ()
    """For a gradient that could not be computed since a tensor was changed."""
    roots: tuple[Value, ...] = ()
    """The tensors whose gradient could not be computed."""
    graph: tuple[Node, ...] = ()
    """What was left of their graph."""

    @property
    def span(self) -> Span | None:
        """Where it was raised, in the program's innermost line."""
        return next((c.span for c in reversed(self.calls) if c.known), None)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the run ended.

    ``status`` is ``finished``, ``raised``, ``syntax``, ``exit`` (sys.exit), ``left`` (os._exit or
    an end that nothing explains), ``killed`` (a signal), ``timeout``, ``protocol`` (the worker sent
    what it must not) or ``unavailable`` (no interpreter).
    """

    status: str
    code: int | None = None
    line: int | None = None
    detail: str = ""
    stack: tuple[tuple[str, int, str], ...] = ()
    """Path, line and function of the frames that were running, innermost first."""


@dataclass(eq=False)
class Trace:
    """All that is known of one run of a program."""

    path: str
    sources: Mapping[str, Source]
    sites: list[Site] = field(default_factory=list)
    scopes: list[Scope] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    loop_runs: list[LoopRun] = field(default_factory=list)
    not_finite: list[NotFinite] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    things: dict[int, Thing] = field(default_factory=dict)
    layer_runs: list[LayerRun] = field(default_factory=list)
    backwards: list[Backward] = field(default_factory=list)
    repeated: list[Backward] = field(default_factory=list)
    """Further passes, of which only is known which of those before they were like."""
    hooks: list[Hook] = field(default_factory=list)
    breaks: list[Break] = field(default_factory=list)
    held: dict[int, dict[int, bytes]] = field(default_factory=dict)
    """Event index to what arrays held right after it, by number, in C order: small ones that the
    event names, where they changed since that was told before. Of runs that are to be replayed."""
    told: int | None = None
    """How many events have that; None: all."""
    failure: Failure | None = None
    syntax: tuple[str, Span] | None = None
    """Why the program could not be compiled, and where."""
    outcome: Outcome = field(default_factory=lambda: Outcome("unavailable"))
    unrecorded: str = ""
    """Why the program ran without being recorded, where a fault of ours made it."""
    dropped: int = 0
    """Events that happened after the most that a run may send."""
    python: str = ""
    interpreter: str = ""
    confined: tuple[str, ...] = ()
    """The means that confined it, and the limits that held."""
    began: tuple[str, ...] = ()
    """Where a run at a save began, and where it could not be left to go on from, in sentences."""
    limit_seconds: float | None = None
    """The wall-clock time that the run had; None: as much as it wanted."""
    limit_bytes: int | None = None
    """The memory that it had; None: as much as there was."""
    output: str = ""
    """What the program printed, its two streams together, up to a cap."""
    output_bytes: int = 0
    """How much it printed in all."""
    printed: tuple[tuple[int, str], ...] = ()
    """What the statement at a line printed, with all that it called; line 0: unknown.
    Only of runs at a save."""

    def text(self, span: Span) -> str:
        """The program's text at ``span``."""
        source = self.sources.get(span.path)
        return source.at(span) if source else ""

    def after(self, event: Event) -> Sequence[Event]:
        """What happened next, as far as anybody looks who asks what became of something."""
        return self.events[event.index + 1 : event.index + LOOKED_AT]

    def before(self, event: Event) -> Sequence[Event]:
        """What happened until then, as far back as ``after`` looks ahead."""
        return self.events[max(0, event.index - LOOKED_AT) : event.index]

    def events_of(self, site: Site) -> Iterator[Event]:
        """The events at one site, in order."""
        return (event for event in self.events if event.site is site)
