"""What the program's operations run under: ``no_grad``, ``inference_mode``, ``autocast``.

PyTorch keeps these for each thread, whoever turned them on: a ``with``, a decorator, a call of
``set_grad_enabled``. When a tensor has come out or a call has ended, PyTorch's core is asked, which
has no effect; where the frame ran under something else before, that is written down. Nothing of
PyTorch's is replaced or wrapped.
"""

from __future__ import annotations

from typing import Any

from ..recorder import UNDER, Record, Recorder

_DEVICES = ("cpu", "cuda", "xpu", "mps", "hpu")
_KEY = "under"
"""What a frame runs under, among its tokens, whose keys are numbers."""


class Modes:
    """Writes down what frames run under."""

    def __init__(self, recorder: Recorder, torch: Any, names: dict[str, str]) -> None:
        core = torch._C
        self.log, self.tokens, self.names = recorder.log, recorder.tokens, names
        self.gradients, self.inference = core.is_grad_enabled, core.is_inference_mode_enabled
        self.casts = getattr(core, "_is_any_autocast_enabled", _no)
        self.casts_on, self.cast_to = core.is_autocast_enabled, core.get_autocast_dtype
        self.devices = [d for d in _DEVICES if core._is_autocast_available(d)]

    def note(self, record: Record) -> None:
        """The frame goes on; log where that is under something else than before."""
        under = () if self.gradients() and not self.casts() else self._under()
        held = self.tokens[id(record)]
        if under != held.get(_KEY, ()):
            held[_KEY] = under
            self.log.append((UNDER, record, under))

    def _under(self) -> tuple[str, ...]:
        found: list[str] = []
        if not self.gradients():
            found.append("inference_mode" if self.inference() else "no_grad")
        casts = [f"{d}={self._cast(d)}" for d in self.devices if self.casts_on(d)]
        return (*found, f"autocast[{', '.join(casts)}]") if casts else tuple(found)

    def _cast(self, device: str) -> str:
        name = str(self.cast_to(device)).rpartition(".")[2]
        return self.names.get(name, name)


def _no() -> bool:
    """Of a version of PyTorch that can't say."""
    return False
