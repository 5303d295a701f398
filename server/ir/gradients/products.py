"""Gradients of products of matrices and other sums of products."""

from __future__ import annotations

from collections import Counter
from string import ascii_letters
from typing import Any

from ..expressions import Expr, known_sizes
from ..opinfo import array_of
from .application import Application, Unsupported, conj

__all__ = ["einsum", "matmul_left", "matmul_right"]


def matmul_left(at: Application) -> Any:
    """By the left factor of a matrix product."""
    b, g = at["x2"], at.g
    if len(at.sizes("x1")) == len(at.sizes("x2")) == 1:
        return g * b
    if len(at.sizes("x2")) == 1:
        return _column(g) * b
    if len(at.sizes("x1")) == 1:
        return at.np.sum(b * at.np.expand_dims(g, -2), axis=-1)
    return at.np.matmul(g, at.np.swapaxes(b, -1, -2))


def matmul_right(at: Application) -> Any:
    """By the right factor of a matrix product."""
    a, g = at["x1"], at.g
    if len(at.sizes("x1")) == len(at.sizes("x2")) == 1:
        return g * a
    if len(at.sizes("x1")) == 1:
        return _column(a) * at.np.expand_dims(g, -2)
    if len(at.sizes("x2")) == 1:
        return at.np.sum(a * _column(g), axis=-2)
    return at.np.matmul(at.np.swapaxes(a, -1, -2), g)


def flagged_matmul(at: Application) -> Any:
    """``ir.matmul`` as a product of what its flags turn."""
    a, b, np = at["x1"], at["x2"], at.np
    if at.constant("transpose_a") and a.ndim > 1:
        a = np.swapaxes(a, -1, -2)
    if at.constant("transpose_b") and b.ndim > 1:
        b = np.swapaxes(b, -1, -2)
    return np.matmul(a, b)


def dot(at: Application) -> Any:
    """``dot`` as a product of numbers, of matrices, or over two axes."""
    a, b = at["a"], at["b"]
    left, right = len(at.sizes("a")), len(at.sizes("b"))
    if not left or not right:
        return at.np.multiply(a, b)
    if left <= 2 and right <= 2:
        return at.np.matmul(a, b)
    return at.np.tensordot(a, b, axes=(left - 1, max(right - 2, 0)))


def inner(at: Application) -> Any:
    """``inner`` as a product over the last axes."""
    left, right = len(at.sizes("a")), len(at.sizes("b"))
    if not left or not right:
        return at.np.multiply(at["a"], at["b"])
    return at.np.tensordot(at["a"], at["b"], axes=(left - 1, right - 1))


def tensordot(at: Application) -> Any:
    """``tensordot`` by Einstein's convention."""
    axes = at.constant("axes")
    left, right = len(at.sizes("a")), len(at.sizes("b"))
    if isinstance(axes, int):
        first, second = list(range(left - axes, left)), list(range(axes))
    else:
        first, second = ([p] if isinstance(p, int) else list(p) for p in axes)
    a = list(ascii_letters[:left])
    b = list(ascii_letters[left : left + right])
    for i, j in zip(first, second, strict=True):
        b[j % right] = a[i % left]
    summed = {a[i % left] for i in first}
    out = [letter for letter in (*a, *b) if letter not in summed]
    return at.np.einsum(f"{''.join(a)},{''.join(b)}->{''.join(out)}", at["a"], at["b"])


def kronecker(at: Application) -> Any:
    """``kron`` as all products of two elements, in blocks."""
    a, b = at.sizes("a"), at.sizes("b")
    ndim = max(len(a), len(b))
    a, b = (1,) * (ndim - len(a)) + a, (1,) * (ndim - len(b)) + b
    left = at.np.reshape(at["a"], shape=tuple(s for size in a for s in (size, 1)))
    right = at.np.reshape(at["b"], shape=tuple(s for size in b for s in (1, size)))
    sizes = tuple(x * y for x, y in zip(a, b, strict=True))
    return at.np.reshape(left * right, shape=sizes)


def cross(at: Application) -> Any:
    """``cross`` of vectors with three parts along the last axis."""
    at.refuse("axisa", "axisb", "axisc", "axis")
    if at.sizes("a")[-1] != 3 or at.sizes("b")[-1] != 3:
        raise Unsupported("vectors that haven't three parts")
    a, b, after, before = at["a"], at["b"], [1, 2, 0], [2, 0, 1]
    take = at.np.take
    left = take(a, after, axis=-1) * take(b, before, axis=-1)
    return left - take(a, before, axis=-1) * take(b, after, axis=-1)


def chain(at: Application) -> Any:
    """``multi_dot`` as products from the left."""
    first, *others = (at.argument(item) for item in at.items("arrays"))
    for other in others:
        first = at.np.dot(first, other)
    return first


def power(at: Application) -> Any:
    """``matrix_power`` as products."""
    n, a = at.constant("n"), at["a"]
    base = a if n > 0 else at.np.linalg.inv(a)
    if n == 0:
        return a * 0.0 + at.np.eye(at.sizes("a")[-1])
    made = base
    for _ in range(abs(n) - 1):
        made = at.np.matmul(made, base)
    return made


def convolution(at: Application) -> Any:
    """``convolve`` as sums of what it multiplies, by place."""
    return _sliding(at, turned=True)


def correlation(at: Application) -> Any:
    """``correlate``: a convolution with the second the other way round."""
    return _sliding(at, turned=False)


def einsum(at: Application) -> list[Any]:
    """By each operand of ``einsum``: the sum of products of the others with the gradient."""
    at.refuse("dtype")
    operands = at.items("operands")
    sizes = [tuple(map(int, known_sizes(array_of(operand)))) for operand in operands]
    letters, out = _letters(at.constant("subscripts"), [len(each) for each in sizes], at.g.ndim)
    extent = {x: n for t, s in zip(letters, sizes, strict=True) for x, n in zip(t, s, strict=True)}
    return [_einsum_by(at, k, letters, out, extent) for k in range(len(operands))]


def _einsum_by(
    at: Application, place: int, letters: list[str], out: str, extent: dict[str, int]
) -> Any:
    wanted, extras = letters[place], []
    free = iter(sorted(set(ascii_letters) - set("".join(letters)) - set(out)))
    for letter, count in Counter(wanted).items():  # a diagonal: a new letter for each repetition
        for _ in range(count - 1):
            new = next(free)
            at_ = wanted.rindex(letter)
            wanted = f"{wanted[:at_]}{new}{wanted[at_ + 1 :]}"
            extent[new] = extent[letter]
            extras.append((letter + new, at.np.eye(extent[letter])))
    others = [
        (text, at.argument(item))
        for k, (text, item) in enumerate(zip(letters, at.items("operands"), strict=True))
        if k != place
    ]
    factors = [(out, at.g), *others, *extras]
    there = {letter for text, _ in factors for letter in text}
    for letter in wanted:  # summed over in this operand alone
        if letter not in there:
            factors.append((letter, at.np.ones(extent[letter])))
    text = ",".join(text for text, _ in factors)
    return at.np.einsum(f"{text}->{wanted}", *(factor for _, factor in factors))


def _letters(subscripts: object, ndims: list[int], ndim: int) -> tuple[list[str], str]:
    """The letters of operands and result, dots written out."""
    if not isinstance(subscripts, str):
        raise Unsupported("subscripts that aren't text")
    text = subscripts.replace(" ", "")
    left, arrow, out = text.partition("->")
    terms = left.split(",")
    free = sorted(set(ascii_letters) - set(text), reverse=True)
    hidden = [n - len(term.replace("...", "")) for term, n in zip(terms, ndims, strict=True)]
    dots = "".join(free[: max(hidden)])
    terms = [
        term.replace("...", dots[len(dots) - n :] if n else "")
        for term, n in zip(terms, hidden, strict=True)
    ]
    if not arrow:
        counts = Counter("".join(terms))
        out = dots + "".join(sorted(x for x, n in counts.items() if n == 1 and x not in dots))
    return terms, out.replace("...", dots)


def _sliding(at: Application, *, turned: bool) -> Any:
    """A table of one vector at all places of the other, times the other."""
    np, a, v, mode = at.np, at["a"], at["v"], at.constant("mode")
    n, m = at.sizes("a")[0], at.sizes("v")[0]
    if m > n or not isinstance(mode, str):
        raise Unsupported("a second vector that is longer")
    full = np.concatenate([np.zeros(m - 1), a, np.zeros(m - 1)])
    rows = np.reshape(np.arange(n + m - 1), shape=(-1, 1)) + np.arange(m)
    table = np.matmul(full[rows], v[::-1] if turned else conj(v))
    start, length = {
        "full": (0, n + m - 1),
        "same": ((m - 1) // 2, n),
        "valid": (m - 1, n - m + 1),
    }[mode]
    if mode == "same" and not turned:
        start = m // 2
    return table[start : start + length]


def _column(expr: Expr) -> Any:
    return expr.writer.np.expand_dims(expr, -1)
