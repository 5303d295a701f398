"""NumPy: arrays are exactly ``numpy.ndarray``; subclasses have ways of their own and stay
opaque."""

from __future__ import annotations

import math
import sys
from typing import Any
from weakref import ref

from ..recorder import Recorder
from .numpy_values import fill_in, statistics

LARGE = 1 << 13
"""Elements above which the floating-point status is asked instead of reading an array again."""
_EXPECTED = frozenset({"ignore", "call", "log"})
"""What a program sets ``np.errstate(invalid=..)`` to where it sees to NaNs itself."""
_FE_INVALID = 1  # on x86-64 and on AArch64 alike


def activate(recorder: Recorder) -> bool:
    """Record NumPy's arrays from now on, where the program has imported it. Never imports it
    itself."""
    np: Any = sys.modules.get("numpy")
    if np is None or not hasattr(np, "ndarray"):
        return False
    space = recorder.space
    array = space["ARRAY"] = np.ndarray
    space["dtype_name"] = dtype_name
    # NumPy has one object for each of its own types of elements, and keeps it to the end.
    own = map(np.dtype, np.typecodes["All"])
    space["DTYPES"] = {id(dtype): dtype_name(dtype) for dtype in own}

    def facts(value: Any) -> tuple[Any, ...]:
        base = value.base
        known = None if base is None else recorder.foreign(base)
        if type(base) is array:
            known = ref(base)
        return ref(value), value.shape, dtype_name(value.dtype), value.strides, known

    recorder.facts[array] = facts
    space["SCALARS"] |= {
        kind
        for kind in vars(np).values()
        if isinstance(kind, type) and issubclass(kind, np.generic)
    }
    space["PACKS"] |= {  # what decompositions return
        kind for kind in vars(np.linalg._linalg).values()
        if isinstance(kind, type) and issubclass(kind, tuple)
    } if hasattr(np.linalg, "_linalg") else set()  # fmt: skip
    space["LIBRARY"] |= {array}
    recorder.workers = "numpy.random."  # NumPy imports it when a program first says np.random
    space["vdot"] = np.vdot
    invalid = _status_of_last_loop(np)
    if invalid is not None:
        space["invalid"], space["LARGE"] = invalid, LARGE
    if recorder.native is not None:
        probe = np.empty((3, 4))[:, :2]
        recorder.native.learn(
            probe, probe.__array_interface__["data"][0],
            np.dtype(np.float64), np.dtype(np.float32), np.dtype(np.bool_), space["LARGE"],
            space["DTYPES"], dtype_name,
        )  # fmt: skip
    isfinite, vdot, isnan, count_nonzero, flatnonzero = (
        math.isfinite, np.vdot, np.isnan, np.count_nonzero, np.flatnonzero,
    )  # fmt: skip

    def finite(array: Any) -> bool:
        """Whether no element is NaN or infinite; may say no where squares overflow.

        One BLAS call, at a third of the cost of reading the array by a ufunc.
        """
        kind = array.dtype.kind
        if kind != "f" and kind != "c":
            return True
        flags = array.flags
        if flags.c_contiguous:
            total = vdot(array, array)
        elif flags.f_contiguous:
            total = vdot(array.T, array.T)
        else:
            return True  # a view; what made its elements was looked at
        return isfinite(total) if kind == "f" else isfinite(total.real)

    def count_nans(array: Any) -> tuple[int, int]:
        """How many elements are NaN, and the flat index of the first (-1: none)."""
        if array.dtype.kind not in "fc":
            return 0, -1
        bad = isnan(array)
        count = int(count_nonzero(bad))
        return count, int(flatnonzero(bad)[0]) if count else -1

    def element_at(array: Any, index: int, shape: tuple[int, ...]) -> object:
        """The number that broadcasting sets against the element ``index`` of an array of
        ``shape``; None where the shapes don't broadcast so."""
        axes = shape[len(shape) - array.ndim :]
        if array.dtype.kind not in "biufc" or not all(map(_spreads, array.shape, axes)):
            return None
        where = np.unravel_index(index, shape)[len(shape) - array.ndim :]
        own = zip(array.shape, where, strict=True)
        return array[tuple(0 if size == 1 else i for size, i in own)].item()

    space["finite"] = finite
    recorder.elements[array] = element_at
    recorder.nan_counts[array] = count_nans
    recorder.invalid_is_ignored = lambda: np.geterr()["invalid"] in _EXPECTED
    recorder.statistics[array] = statistics(np)
    recorder.contents[array] = lambda a: a.tobytes() if a.dtype.kind in "biuf" else None
    fill_in(recorder.remarks, np)
    recorder.libraries.add("numpy")
    return True


def dtype_name(dtype: Any) -> str:
    """What is logged of a type of elements. Never itself: it may be the program's own, and the log
    isn't to keep it."""
    return "struct" if dtype.names else dtype.str


def _spreads(size: int, wanted: int) -> bool:
    return size in (1, wanted)


def _status_of_last_loop(np: Any) -> Any:
    """``fetestexcept`` of the C library, where it says whether NumPy's last loop made a NaN."""
    try:
        import ctypes

        invalid = ctypes.PyDLL(None).fetestexcept
        zeros = np.zeros(4)
        with np.errstate(all="ignore"):
            zeros / zeros
            after_nan = bool(invalid(_FE_INVALID))
            zeros + zeros
    except (ImportError, OSError, AttributeError):
        return None
    return invalid if after_nan and not invalid(_FE_INVALID) else None
