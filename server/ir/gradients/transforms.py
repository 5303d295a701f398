"""Gradients of Fourier transforms, which are their own transposes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..elements import COMPLEX
from ..expressions import Expr
from ..shapes import axis_of
from .application import Application, conj

__all__ = ["along_axes", "from_half", "same", "shifted", "to_half"]


def same(name: str) -> Callable[[Application], Any]:
    """For ``fft`` and ``ifft``: the same of the gradient."""

    def rule(at: Application) -> Any:
        size, axis, norm = at.constant("n"), at.constant("axis"), at.constant("norm")
        made = getattr(at.np.fft, name)(at.g, n=size, axis=axis, norm=norm)
        return _resized(made, at.sizes("a"), axis)

    return rule


def to_half(at: Application) -> Any:
    """For ``rfft``: the transform of the half that there is."""
    axis, norm = at.constant("axis"), at.constant("norm")
    size = at.constant("n") or at.sizes("a")[axis]
    made = at.np.fft.fft(at.g, n=size, axis=axis, norm=norm)
    return at.np.real(_resized(made, at.sizes("a"), axis))


def from_half(at: Application) -> Any:
    """For ``irfft``: inner frequencies count twice."""
    np, axis, norm = at.np, at.constant("axis"), at.constant("norm")
    size = at.g.sizes[axis]
    back = {None: "forward", "backward": "forward", "forward": "backward"}.get(norm, norm)
    made = conj(np.fft.rfft(at.g, axis=axis, norm=back))
    half = made.sizes[axis]
    place = axis_of(axis, made.ndim)
    number = np.reshape(np.arange(half), shape=(half, *(1,) * (made.ndim - place - 1)))
    alone = np.equal(number, 0)
    if size % 2 == 0:
        alone = np.logical_or(alone, np.equal(number, half - 1))
    return _resized(made * np.where(alone, 1.0, 2.0), at.sizes("a"), axis)


def along_axes(name: str) -> Callable[[Application], Any]:
    """``fft2``, ``fftn`` and their inverses as transforms along one axis after the other."""

    def form(at: Application) -> Any:
        made, sizes, axes = at["a"], at.constant("s"), at.constant("axes")
        if axes is None:
            count = len(sizes) if sizes is not None else made.ndim
            axes = range(-count, 0)
        for k, axis in enumerate(axes):
            size = None if sizes is None or sizes[k] == -1 else sizes[k]
            transform = getattr(at.np.fft, name)
            made = transform(made, n=size, axis=axis, norm=at.constant("norm"))
        return made

    return form


def shifted(back: str) -> Callable[[Application], Any]:
    """For ``fftshift`` and ``ifftshift``: each takes the other back."""
    return lambda at: getattr(at.np.fft, back)(at.g, axes=at.constant("axes"))


def _resized(made: Expr, sizes: tuple[int, ...], axis: int) -> Any:
    """Cut, or filled up with zeros, along an axis."""
    np, place = made.writer.np, axis_of(axis, made.ndim)
    wanted, given = sizes[place], made.sizes[place]
    if given > wanted:
        return made[(*(slice(None),) * place, slice(None, wanted))]
    if given == wanted:
        return made
    rest = tuple(wanted - given if k == place else int(s) for k, s in enumerate(made.sizes))
    assert made.type.element in COMPLEX
    return np.concatenate([made, np.zeros(rest, dtype=made.type.element)], axis=place)
