"""Gradients of inverses, determinants and factors of matrices.

The formulas are those of Giles, *Collected matrix derivative results for forward and reverse mode
algorithmic differentiation* (2008), and of Walter and Lehmann (2010) for QR.
"""

from __future__ import annotations

from typing import Any

from ..expressions import Expr
from .application import Application, Unsupported, conj, is_complex

__all__ = ["cholesky", "determinant", "eig", "eigh", "inverse", "least_squares", "solution"]


def inverse(at: Application) -> Any:
    """By a matrix that was inverted."""
    turned = _turned(at.r)
    return -(turned @ at.g @ turned)


def solution(at: Application) -> Any:
    """By the matrix of linear equations that were solved."""
    right = _right_side(at)
    if len(at.sizes("b")) == 1:
        return -(at.np.expand_dims(right, -1) * at.r)
    return -(right @ _turned(at.r))


def solution_right(at: Application) -> Any:
    """By the right side of linear equations that were solved."""
    return _right_side(at)


def determinant(at: Application) -> Any:
    """By a matrix whose determinant was taken."""
    return _square(at.g * at.r) * _turned(at.np.linalg.inv(at["a"]))


def log_determinant(at: Application) -> Any:
    """By a matrix of whose determinant sign and logarithm were taken."""
    if at.used(0):
        at.only_real()  # the sign is 1 or -1 then
    return _square(at.gs[1]) * _turned(at.np.linalg.inv(at["a"]))


def cholesky(at: Application) -> Any:
    """By a symmetric matrix whose factor was taken; the gradient is symmetric too."""
    at.only_real()
    at.refuse("upper")
    np, low, g = at.np, at.r, at.g
    middle = np.tril(_turned(low) @ g) * (1.0 - 0.5 * np.eye(low.sizes[-1]))
    inverse = np.linalg.inv(low)
    whole = _turned(inverse) @ middle @ inverse
    return (whole + _turned(whole)) * 0.5


def eigh(at: Application) -> Any:
    """By a symmetric matrix whose eigenvalues, all different, and vectors were taken."""
    at.only_real()
    np = at.np
    (values, vectors), (by_values, by_vectors) = at.rs, at.gs
    eye = np.eye(values.sizes[-1])
    apart = np.expand_dims(values, -2) - np.expand_dims(values, -1) + eye
    inner = (1.0 - eye) / apart * (_turned(vectors) @ by_vectors)
    inner = inner + eye * np.expand_dims(by_values, -2)
    whole = vectors @ inner @ _turned(vectors)
    return (whole + _turned(whole)) * 0.5


def eigenvalues(at: Application) -> Any:
    """``eigvalsh`` as the first of what ``eigh`` gives."""
    return at.np.linalg.eigh(at["a"])[0]


def svd(at: Application) -> Any:
    """By a matrix whose singular values, all different, and vectors were taken."""
    at.only_real()
    np = at.np
    m, n = at.sizes("a")[-2:]
    if len(at.rs) == 1:
        u, _, vt = np.linalg.svd(at["a"], full_matrices=False)
        return (u * np.expand_dims(at.g, -2)) @ vt
    if at.constant("full_matrices") and m != n:
        raise Unsupported("full_matrices of a matrix that isn't square")
    (u, s, vt), (by_u, by_s, by_vt) = at.rs, at.gs
    k = s.sizes[-1]
    eye = np.eye(k)
    square = s * s
    apart = np.expand_dims(square, -2) - np.expand_dims(square, -1) + eye
    f = (1.0 - eye) / apart
    row, column = np.expand_dims(s, -2), np.expand_dims(s, -1)
    v, by_v = _turned(vt), _turned(by_vt)
    left = f * (_turned(u) @ by_u - _turned(by_u) @ u)
    right = f * (vt @ by_v - _turned(by_v) @ v)
    inner = left * row + column * right + eye * np.expand_dims(by_s, -2)
    whole = u @ inner @ vt
    if m > k:
        rest = by_u / row
        whole = whole + (rest - u @ (_turned(u) @ rest)) @ vt
    if n > k:
        rest = _turned(by_v / row)
        whole = whole + u @ (rest - (rest @ v) @ vt)
    return whole


def qr(at: Application) -> Any:
    """By a matrix, at least as high as wide, that was factored in orthogonal and triangular."""
    at.only_real()
    np = at.np
    m, n = at.sizes("a")[-2:]
    if at.constant("mode") != "reduced" or m < n:
        raise Unsupported("another mode, or a matrix wider than high")
    (q, r), (by_q, by_r) = at.rs, at.gs
    middle = r @ _turned(by_r) - _turned(by_q) @ q
    low = np.tril(middle, -1)
    sides = np.tril(middle) + _turned(low)
    return _turned(np.linalg.solve(r, _turned(by_q + q @ sides)))


def eig(at: Application) -> Any:
    """By a matrix whose eigenvalues, all different, and vectors of length 1 were taken."""
    np = at.np
    values, vectors = at.rs
    by_values, by_vectors = at.gs
    eye = np.eye(values.sizes[-1])
    inner = eye * np.expand_dims(by_values, -2)
    if at.used(1):
        if is_complex(vectors):
            raise Unsupported("the phase of complex vectors is free")
        along = np.sum(vectors * by_vectors, axis=-2, keepdims=True)
        apart = np.expand_dims(values, -2) - np.expand_dims(values, -1) + eye
        free = by_vectors - vectors * along
        inner = inner + (1.0 - eye) / apart * (_turned(vectors) @ free)
    return np.linalg.solve(_turned(vectors), inner @ _turned(vectors))


def eigenvalues_of_any(at: Application) -> Any:
    """``eigvals`` as the first of what ``eig`` gives."""
    values = at.type("a").with_(element=at.r.type.element, strides=None)
    types = [values.with_(sizes=values.sizes[:-1]), values]
    return at.writer.apply("np.linalg.eig", [at["a"]], types=types)[0]


def least_squares(at: Application) -> Any:
    """``lstsq`` of a matrix of full rank: solution, residuals, (rank,) singular values."""
    np, a, b = at.np, at["a"], at["b"]
    m, n = at.sizes("a")
    if m >= n:
        q, r = np.linalg.qr(a)
        solution = np.linalg.solve(r, q.T @ b)
    else:
        q, r = np.linalg.qr(a.T)
        solution = q @ np.linalg.solve(r.T, b)
    away = b - a @ solution
    residuals = np.sum(away * away, axis=0)
    if b.ndim == 1:
        residuals = np.reshape(residuals, shape=(1,))
    return solution, residuals if m > n else None, None, np.linalg.svd(a, compute_uv=False)


def condition(at: Application) -> Any:
    """``cond`` as a ratio of singular values, or by norms."""
    np, x, order = at.np, at["x"], at.constant("p")
    if order in (None, 2, -2):
        s = np.linalg.svd(x, compute_uv=False)
        ratio = s[..., 0] / s[..., -1]
        return 1.0 / ratio if order == -2 else ratio
    if order != "fro":
        raise Unsupported(f"the norm {order!r} of matrices")
    how: dict[str, Any] = {"ord": "fro", "axis": (-2, -1)}
    sizes = at.sizes("x")[:-2]
    type_ = at.type("x").with_(sizes=sizes, strides=None)
    made = [
        at.writer.apply("np.linalg.norm", [each], how, [type_]) for each in (x, np.linalg.inv(x))
    ]
    return made[0] * made[1]


def pseudo_inverse(at: Application) -> Any:
    """``pinv`` of a matrix of full rank, by the equations it solves."""
    at.refuse("rcond", "hermitian", "rtol")
    a, np = at["a"], at.np
    m, n = at.sizes("a")[-2:]
    turned = conj(_turned(a))
    if m >= n:
        return np.linalg.solve(turned @ a, turned)
    return _turned(np.linalg.solve(a @ turned, a))


def _right_side(at: Application) -> Any:
    return at.np.linalg.solve(_turned(at["a"]), at.g)


def _square(expr: Expr) -> Any:
    """Numbers as matrices of one element."""
    np = expr.writer.np
    return np.expand_dims(np.expand_dims(expr, -1), -1)


def _turned(expr: Expr) -> Any:
    return expr.writer.np.swapaxes(expr, -1, -2)
