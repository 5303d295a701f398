# expect: nothing
# why: suppressed, swallowed by a context manager, or printed by the user's code, but never uncaught
import contextlib
import traceback
import numpy as np

class Quiet:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, tb):
        return kind is not None and issubclass(kind, IndexError)

with contextlib.suppress(ZeroDivisionError):
    1 / 0
with Quiet():
    np.arange(3)[7]
try:
    float("n/a")
except ValueError:
    traceback.print_exc()
