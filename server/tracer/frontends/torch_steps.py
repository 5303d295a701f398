"""Steps of PyTorch's optimizers: which parameters a recorded one wrote, as their versions tell, and
the gradient that each had. A step in a plain twin is not looked at, and costs nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..recorder import STEP, Record, Recorder

MAX_UPDATED = 2000
"""Parameters of one optimizer that are looked at."""


def install(recorder: Recorder, torch: Any) -> None:
    """Tell of the steps that optimizers take."""
    optimizer = torch.optim.Optimizer

    def before(_: int, value: Any) -> Callable[[Record | None], None] | None:
        if not isinstance(value, optimizer):
            return None
        recorder.thing_held(value)
        return _Step(recorder, value).ended

    recorder.before["step"] = before


class _Step:
    """One step: what there was before it."""

    def __init__(self, recorder: Recorder, optimizer: Any) -> None:
        self.recorder, self.optimizer = recorder, optimizer
        self.before = {id(p): p._version for p in self.parameters()}

    def parameters(self) -> list[Any]:
        """The parameters that count their versions, as far as they are recorded."""
        facts = self.recorder.facts
        groups = vars(self.optimizer).get("param_groups", ())
        held = [p for group in groups for p in group.get("params", ()) if type(p) in facts]
        return [p for p in held[:MAX_UPDATED] if not p.is_inference()]

    def ended(self, record: Record | None) -> None:
        """The step was taken: log what it wrote."""
        token = self.recorder.identity
        written = [p for p in self.parameters() if self.before.get(id(p), -1) != p._version]
        if record is not None and written:
            updates = [(token(p), token(p.grad)) for p in written]
            self.recorder.log.append((STEP, record, updates))
