"""PyTorch: tensors are exactly ``torch.Tensor`` and ``Parameter``; subclasses have ways of their
own and stay opaque.

Nothing of PyTorch is replaced, hooked or wrapped, and no mode is entered, with few exceptions: see
``torch_layers``, ``torch_hooks``, and ``torch_gradients`` for the first NaN; ``torch_fake`` is only
for who asks for it. A tensor is looked at when it has come out of an operation. How it stands to
gradients is read from its ``grad_fn``, whose number orders all nodes of the graph: so the nodes
that a later backward pass goes through lead back to the operations that made them.
"""

from __future__ import annotations

import contextlib
import sys
from functools import lru_cache
from typing import Any
from weakref import ref

from ..native import any_nan
from ..recorder import REMARK, Entry, Facts, Record, Recorder
from ..remarks import TRACED
from . import (
    torch_compile,
    torch_fake,
    torch_gradients,
    torch_hooks,
    torch_layers,
    torch_modes,
    torch_steps,
)

MAX_CHECKED = 1 << 20
"""Elements of a tensor that is searched for NaNs."""
_FEW = 1 << 15
"""Elements that it takes longer to ask PyTorch for than to read."""
_OWNERS = 4096
"""Memories that are remembered, until those whose tensors are gone are forgotten."""
_LAYOUTS = 4096
"""Strides that are remembered."""
_NAMES = {
    "bool": "bool", "uint8": "u8", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
    "uint16": "u16", "uint32": "u32", "uint64": "u64", "float16": "f16", "bfloat16": "bf16",
    "float32": "f32", "float64": "f64", "complex32": "c32", "complex64": "c64",
    "complex128": "c128",
}  # fmt: skip
_CHECKED = frozenset({"f16", "bf16", "f32", "f64", "c64", "c128"})
_COMPLEX = {"c64": ("f32", 2), "c128": ("f64", 2)}
_PLAIN = frozenset({"shape", "ndim", "grad", "data"})
"""Attributes of tensors that can be read again: by C code alone, and without effect."""


class Kind:
    """The element type of a tensor and where it is, in place of a NumPy dtype in the log."""

    __slots__ = ("checked", "device", "floats", "itemsize", "parts", "str")

    def __init__(self, dtype: Any, device: Any, fake: bool) -> None:
        name = str(dtype).rpartition(".")[2]
        self.str = _NAMES.get(name, name)
        self.itemsize = dtype.itemsize
        self.device = str(device)
        self.checked = self.str in _CHECKED and device.type == "cpu" and not fake
        self.floats, self.parts = _COMPLEX.get(self.str, (self.str, 1))


def activate(recorder: Recorder) -> bool:
    """Record PyTorch's tensors from now on, where the program has imported it. Never imports it
    itself."""
    torch: Any = sys.modules.get("torch")
    if torch is None or not all(hasattr(torch, part) for part in ("Tensor", "nn", "optim")):
        return False
    tensors = _Tensors(recorder, torch)
    types = (torch.Tensor, torch.nn.Parameter)
    if recorder.fake:
        types += torch_fake.begin(torch)
    space = recorder.space
    space["TENSORS"] = frozenset(types)
    layers = torch_layers.install(recorder, torch, tensors)
    space["SCALARS"] |= {*types, *layers}  # what takes the slower path when it comes out
    space["LIBRARY"] |= {*types, *layers}
    space["PACKS"] |= _packs(torch)
    recorder.remarks.closed = frozenset({*types, *layers})
    for kind in types:
        recorder.facts[kind] = tensors.facts
        recorder.nan_counts[kind] = tensors.count_nans
        recorder.elements[kind] = tensors.element_at
        recorder.contents[kind] = tensors.contents
    recorder.tensor = tensors.event
    recorder.note = torch_modes.Modes(recorder, torch, _NAMES).note
    inner = recorder.hidden

    def hidden(value: Any, attribute: str) -> Any:
        if type(value) in types:
            return tensors.attribute(value, attribute, inner)
        return inner(value, attribute)

    recorder.hidden = hidden
    torch_gradients.install(recorder, torch, tensors, torch_hooks.Hooks(recorder, torch))
    torch_steps.install(recorder, torch)
    torch_compile.install(recorder, torch)
    return True


def _packs(torch: Any) -> set[type]:
    """The types of tuples that operations and layers give: a maximum with its place, a sequence
    that is packed."""
    several = vars(getattr(torch, "return_types", object)).values()
    packed = getattr(torch.nn.utils.rnn, "PackedSequence", tuple)
    return {kind for kind in (*several, packed) if isinstance(kind, type)}


class _Tensors:
    """What is read of tensors, and how."""

    def __init__(self, recorder: Recorder, torch: Any) -> None:
        self.recorder, self.torch = recorder, torch
        self.kinds: dict[tuple[object, ...], Kind] = {}
        self.cpu: dict[object, Kind] = {}
        """The kinds of real tensors in main memory, by their dtype."""
        self.owners: dict[int, ref[Any]] = {}
        """Where memory begins, and the tensor that first had it."""
        core = torch._C
        self.strided = torch.strided
        self.tracing, self.set_tracing = core._get_tracing_state, core._set_tracing_state
        functorch = getattr(core, "_functorch", None)
        self.transforms = getattr(functorch, "peek_interpreter_stack", _nothing)
        self.dispatch_modes = getattr(core, "_len_torch_dispatch_stack", _nothing)
        self.function_modes = getattr(core, "_len_torch_function_stack", _nothing)
        self.profiling = getattr(torch.autograd, "_profiler_enabled", _nothing)
        self.unwatched = core.DisableTorchFunction
        self.own_modes = int(recorder.fake)

    def contents(self, value: Any) -> bytes | None:
        """The elements of a tensor in C order."""
        if value.layout is not self.strided or value.is_complex():
            return None
        plain = value.detach().cpu().contiguous().reshape(-1)
        return bytes(plain.view(self.torch.uint8).numpy().tobytes())

    # ------------------------------------------------------------------ events

    def event(self, record: Record, site: int, value: Any, child: bool, operands: Entry) -> None:
        """A tensor came out of an operation."""
        self.recorder.note(record)
        token = ref(value)
        if child:
            self.recorder.tokens[id(record)][site] = token
        recorder = self.recorder
        if self.tracing() is not None:
            recorder.log.append((site, record, *self.facts(value), operands))
            recorder.log.append((REMARK, record, site, TRACED, ()))
            return
        facts = self._facts(value)
        recorder.log.append((site, record, *facts, operands))
        if recorder.pending:
            recorder.ended(site, record)
        kind, more = facts[2], facts[4]
        if kind.checked and more and more[0] is None and self.has_nan(value):
            count, first = self.count_nans(value)
            if count:
                values = tuple(recorder.value_at(value, first, o) for o in operands)
                found = count, first, values
                recorder.report_nan(record, site, token, found, operands, ignored=False)

    def facts(self, value: Any) -> Entry:
        """What the log has of a tensor."""
        state = self.tracing()
        if state is None:
            return self._facts(value)
        self.set_tracing(None)  # torch.jit.trace, whose graph a question for a size would add to
        try:
            return self._facts(value)
        finally:
            self.set_tracing(state)

    def _facts(self, value: Any) -> Entry:
        try:
            if not self.function_modes():
                return self._asked(value)
            with self.unwatched():  # the program's own modes are to see its own calls alone
                return self._asked(value)
        except Exception:  # of a layout, or a state, that has no such thing
            return ref(value), (), self.kind(value), None, None

    def _asked(self, value: Any) -> Entry:
        token = ref(value)
        kind = self.kind(value)
        strided = value.layout is self.strided
        strides = _in_bytes(value.stride(), kind.itemsize) if strided else None
        node = value.grad_fn
        number, name = None, ""
        if node is not None:
            name = type(node).__name__
            with contextlib.suppress(AttributeError):  # of a PyTorch that doesn't number nodes
                number = node._sequence_nr()
        try:
            version = value._version
        except RuntimeError:  # made in inference mode, where none are counted
            version = -1
        base = None
        if strided and kind.device != "meta" and self.transforms() is None:
            base = self.base(value, token)
        facts = Facts((base, version, number, name, value.requires_grad, node is None))
        return token, value.shape, kind, strides, facts

    def kind(self, value: Any) -> Kind:
        """The element type and device."""
        known = self.cpu.get(value.dtype) if value.is_cpu else None
        if known is not None:
            return known
        fake = self.recorder.fake and getattr(value, "fake_device", None)
        known = self.kind_on(value.dtype, fake or value.device)
        if value.is_cpu and not self.recorder.fake:
            self.cpu[value.dtype] = known
        return known

    def kind_on(self, dtype: Any, device: Any) -> Kind:
        """That of an element type on a device."""
        known = self.kinds.get((dtype, device))
        if known is None:
            known = self.kinds[dtype, device] = Kind(dtype, device, self.recorder.fake)
        return known

    def base(self, value: Any, token: ref[Any]) -> object:
        """The token of the tensor whose memory this one shows; None where it has its own.

        Views have a base; what ``detach``, ``data`` and ``from_numpy`` give has the same address.
        """
        base = value._base
        if base is not None:
            return ref(base)
        address = self.address(value)
        if not address:
            return None
        known = self.owners.get(address)
        if known is token:
            return None
        first = known() if known is not None else None
        if first is not None and self.address(first) == address:
            return known
        if len(self.owners) > _OWNERS:
            self.owners = {a: r for a, r in self.owners.items() if r() is not None}
        self.owners[address] = token
        return None

    def address(self, value: Any) -> int:
        """Where its memory is: a number that tensors with the same memory have in common."""
        storage = value.untyped_storage()
        address: int = storage._cdata if self.recorder.fake else storage.data_ptr()
        return address

    def attribute(self, value: Any, attribute: str, missing: Any) -> Any:
        """An attribute that the program has just read, where reading it again does nothing."""
        if attribute == "data":  # the same elements, in another object each time
            return value
        if attribute not in _PLAIN or (attribute == "grad" and not _has_own_gradient(value)):
            return missing(value, attribute)
        with self.unwatched():
            return getattr(value, attribute)

    # ------------------------------------------------------------------ NaNs

    def has_nan(self, value: Any) -> bool:
        """Whether an element may be NaN. Said only where nobody watches, or would see nothing."""
        if self.function_modes():  # which would see even these questions
            return False
        try:
            kind, count = self.kind(value), value.numel()
            if not kind.checked or not 0 < count <= MAX_CHECKED:
                return False
            found = self._read(value, kind, count)
        except Exception:  # of a layout, or a state, that has no memory of its own
            found = None
        return not self.watched() and self._sums_to_nan(value) if found is None else found

    def _read(self, value: Any, kind: Kind, count: int) -> bool | None:
        """Whether the memory of a tensor has a NaN; None where PyTorch is to be asked."""
        if any_nan is None or count > _FEW or self.transforms():
            return None
        if not value.is_contiguous() and not _is_transposed(value):
            return None
        storage, address = value.untyped_storage(), value.data_ptr()
        begin = storage.data_ptr()
        if not begin or address + count * kind.itemsize > begin + storage.nbytes():
            return None
        return any_nan(address, count * kind.parts, kind.floats)

    def _sums_to_nan(self, value: Any) -> bool:
        try:
            total = (value.detach() if value.requires_grad else value).sum().item()
        except RuntimeError:
            return False
        return bool(total != total)

    def watched(self) -> bool:
        """Whether operations of ours would be seen by a mode or a profiler of the program."""
        return bool(
            self.function_modes() or (self.dispatch_modes() or 0) > self.own_modes
            or self.profiling() or self.transforms() is not None or self.tracing() is not None
        )  # fmt: skip

    def count_nans(self, value: Any) -> tuple[int, int]:
        """How many elements are NaN, and the flat index of the first (-1: none)."""
        if self.watched() or value.numel() > MAX_CHECKED or not self.kind(value).checked:
            return 0, -1
        try:
            bad = self.torch.isnan(value.detach()).flatten().nonzero()
        except RuntimeError:
            return 0, -1
        return len(bad), int(bad[0]) if len(bad) else -1

    def element_at(self, value: Any, index: int, shape: tuple[int, ...]) -> object:
        """The number that broadcasting sets against the element ``index`` of a tensor of
        ``shape``; None where the shapes don't broadcast so."""
        axes = shape[len(shape) - value.ndim :]
        fits = all(own in (1, wanted) for own, wanted in zip(value.shape, axes, strict=True))
        if self.watched() or self.recorder.fake or not fits or value.device.type != "cpu":
            return None
        where: list[int] = []
        for size in reversed(shape):
            where.insert(0, index % size)
            index //= size
        own = zip(value.shape, where[len(shape) - value.ndim :], strict=True)
        return value.detach()[tuple(0 if size == 1 else i for size, i in own)].item()


@lru_cache(_LAYOUTS)
def _in_bytes(strides: tuple[int, ...], size: int) -> tuple[int, ...]:
    """Strides in bytes, of those in elements of so many bytes."""
    return tuple([stride * size for stride in strides])


def _is_transposed(value: Any) -> bool:
    """Whether a matrix has its elements side by side in columns."""
    return bool(value.ndim == 2 and value.stride() == (1, value.shape[0]))


def _has_own_gradient(value: Any) -> bool:
    return bool(value.is_leaf or value.retains_grad)


def _nothing() -> Any:
    """Of a version of PyTorch that has no such thing."""
    return None
