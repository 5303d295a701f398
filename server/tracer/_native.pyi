from collections.abc import Callable, Iterator
from typing import Any

class State:
    def forget(self) -> None: ...
    def recorder(
        self, slow: Callable[..., Any], check: Callable[..., Any] | None, kind: int,
        forms: bytes, paths: tuple[Any, ...], /,
    ) -> Callable[..., Any]: ...  # fmt: skip
    def enter(
        self, frames: dict[int, Any], count: Iterator[int], sample: Callable[[Any], None],
        elsewhere: Callable[[Any, Any, Any], None], /,
    ) -> Callable[..., None]: ...  # fmt: skip
    def learn(
        self, probe: object, address: int, float64: object, float32: object, boolean: object,
        large: int, named: dict[int, str], name: Callable[[Any], str], /,
    ) -> bool: ...  # fmt: skip

def state(space: dict[str, Any], log: list[Any], tokens: dict[int, Any], /) -> State: ...
def any_nan(address: int, count: int, kind: str, /) -> bool: ...
