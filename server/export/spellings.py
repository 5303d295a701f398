"""How to write what an op without an export computes with ops that have one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..ir.symbol import Symbol
from .registry import names_of

__all__ = ["SPELLINGS", "spelled"]

SPELLINGS: Final[Mapping[str, tuple[str, str]]] = {
    "np.append": ("np.append(a, b)", "np.concatenate([np.ravel(a), np.ravel(b)])"),
    "np.array_equal": ("np.array_equal(a, b)", "np.all(a == b)"),
    "np.bincount": (
        "np.bincount(i, minlength=4)",
        "np.sum(i[:, None] == np.arange(4), axis=0)",
    ),
    "np.block": ("np.block([a, b])", "np.concatenate([a, b], axis=-1)"),
    "np.allclose": ("np.allclose(a, b)", "np.all(np.abs(a - b) <= 1e-8 + 1e-5 * np.abs(b))"),
    "np.choose": ("np.choose(k, [a, b])", "np.where(k == 0, a, b)"),
    "np.conjugate": ("np.conjugate(a)", "np.copy(a)"),
    "np.conj": ("np.conj(a)", "np.copy(a)"),
    "np.cov": (
        "np.cov(a)",
        "(a - np.mean(a, axis=1, keepdims=True)) @ "
        "(a - np.mean(a, axis=1, keepdims=True)).T / (a.shape[1] - 1)",
    ),
    "np.delete": ("np.delete(v, 1)", "np.concatenate([v[:1], v[2:]])"),
    "np.diagflat": ("np.diagflat(v)", "np.diag(np.ravel(v))"),
    "np.digitize": ("np.digitize(v, bins)", "np.sum(v[:, None] >= bins, axis=1)"),
    "np.divmod": ("np.divmod(a, b)[0]", "np.floor_divide(a, b)"),
    "np.ediff1d": ("np.ediff1d(a)", "np.diff(np.ravel(a))"),
    "np.insert": ("np.insert(v, 1, 2.0)", "np.concatenate([v[:1], [2.0], v[1:]])"),
    "np.isclose": ("np.isclose(a, b)", "np.abs(a - b) <= 1e-8 + 1e-5 * np.abs(b)"),
    "np.isin": ("np.isin(v, bins)", "np.any(v[:, None] == bins, axis=1)"),
    "np.left_shift": ("np.left_shift(i, 2)", "i * 4"),
    "np.linalg.matrix_power": ("np.linalg.matrix_power(s, 2)", "s @ s"),
    "np.linalg.multi_dot": ("np.linalg.multi_dot([s, s, s])", "s @ s @ s"),
    "np.linalg.slogdet": ("np.linalg.slogdet(s)[1]", "np.log(np.abs(np.linalg.det(s)))"),
    "np.logaddexp2": ("np.logaddexp2(a, b)", "np.log2(np.exp2(a) + np.exp2(b))"),
    "np.median": ("np.median(v)", "np.sort(v)[len(v) // 2]"),
    "np.meshgrid": (
        "np.meshgrid(v, bins)[0]",
        "np.broadcast_to(v, (len(bins), len(v)))",
    ),
    "np.modf": ("np.modf(a)[0]", "a - np.trunc(a)"),
    "np.nanargmax": ("np.nanargmax(n)", "np.argmax(np.where(np.isnan(n), -np.inf, n))"),
    "np.nanargmin": ("np.nanargmin(n)", "np.argmin(np.where(np.isnan(n), np.inf, n))"),
    "np.nancumprod": ("np.nancumprod(n)", "np.cumprod(np.where(np.isnan(n), 1.0, n))"),
    "np.nancumsum": ("np.nancumsum(n)", "np.cumsum(np.where(np.isnan(n), 0.0, n))"),
    "np.nanstd": ("np.nanstd(n)", "np.sqrt(np.nanmean(np.square(n - np.nanmean(n))))"),
    "np.nanvar": ("np.nanvar(n)", "np.nanmean(np.square(n - np.nanmean(n)))"),
    "np.partition": ("np.partition(v, 4)[4]", "np.sort(v)[4]"),
    "np.argpartition": ("v[np.argpartition(v, 4)[4]]", "v[np.argsort(v)[4]]"),
    "np.polyval": ("np.polyval([3.0, 2.0], a)", "3.0 * a + 2.0"),
    "np.right_shift": ("np.right_shift(i, 2)", "i // 4"),
    "np.rot90": ("np.rot90(a)", "np.flip(np.transpose(a), axis=0)"),
    "np.select": ("np.select([a > b], [a], 0.0)", "np.where(a > b, a, 0.0)"),
    "np.sinc": ("np.sinc(a)", "np.sin(np.pi * a) / (np.pi * a)"),
    "np.trapezoid": ("np.trapezoid(v)", "np.sum((v[1:] + v[:-1]) / 2)"),
    "np.vander": ("np.vander(v)", "v[:, None] ** np.arange(len(v))[::-1]"),
}
"""A call of each op, and what gives the same, in terms of the same names."""


def spelled(symbol: Symbol) -> str:
    """What gives the same as an op, with ops that have an export; empty where nothing is known."""
    found = (SPELLINGS[name] for name in names_of(symbol) if name in SPELLINGS)
    return next((f"{instead}, for {call}" for call, instead in found), "")
