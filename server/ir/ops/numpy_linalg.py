"""NumPy's linear algebra and Fourier transforms."""

from __future__ import annotations

from ..elements import COMPLEX, default, promote_all, real
from ..gradients import decompositions, products, transforms
from ..gradients.application import FLAT, Through
from ..opinfo import Arguments, OpError, OpInfo, TypeRule, Unknown, array_of, op
from ..rules import array
from ..shapes import Sizes, axis_of, broadcast, matmul, total
from ..types import ArrayType, Type


def _promoted(args: Arguments, *names: str) -> str:
    elements = [args.array(name).element for name in names]
    element = promote_all(elements)
    if element is None:
        raise Unknown("element types")
    return args.element() or default(element)


def _matmul(args: Arguments) -> tuple[Type, ...]:
    a, b = args.array("x1"), args.array("x2")
    return array(_promoted(args, "x1", "x2"), matmul(a.sizes, b.sizes))


def _dot(args: Arguments) -> tuple[Type, ...]:
    a, b = args.array("a").sizes, args.array("b").sizes
    element = _promoted(args, "a", "b")
    if not a or not b:
        return array(element, broadcast(a, b))
    inner = {a[-1], b[-2] if len(b) > 1 else b[0]} - {None}
    if len(inner) > 1:
        raise OpError(f"inner sizes {a[-1]} and {b[-2] if len(b) > 1 else b[0]} differ")
    return array(element, a[:-1] + (b[:-2] + b[-1:] if len(b) > 1 else ()))


def _inner(args: Arguments) -> tuple[Type, ...]:
    a, b = args.array("a").sizes, args.array("b").sizes
    element = _promoted(args, "a", "b")
    if not a or not b:
        return array(element, broadcast(a, b))
    if None not in (a[-1], b[-1]) and a[-1] != b[-1]:
        raise OpError(f"last sizes {a[-1]} and {b[-1]} differ")
    return array(element, a[:-1] + b[:-1])


def _outer(args: Arguments) -> tuple[Type, ...]:
    a, b = args.array("a"), args.array("b")
    return array(_promoted(args, "a", "b"), (total(a.sizes), total(b.sizes)))


def _vdot(args: Arguments) -> tuple[Type, ...]:
    a, b = total(args.array("a").sizes), total(args.array("b").sizes)
    if None not in (a, b) and a != b:
        raise OpError(f"{a} and {b} elements")
    return array(_promoted(args, "a", "b"), ())


def _kron(args: Arguments) -> tuple[Type, ...]:
    a, b = args.array("a").sizes, args.array("b").sizes
    ndim = max(len(a), len(b))
    a, b = (1,) * (ndim - len(a)) + a, (1,) * (ndim - len(b)) + b
    sizes = tuple(None if x is None or y is None else x * y for x, y in zip(a, b, strict=True))
    return array(_promoted(args, "a", "b"), sizes)


def _tensordot(args: Arguments) -> tuple[Type, ...]:
    a, b, axes = args.array("a").sizes, args.array("b").sizes, args.constant("axes", 2)
    if isinstance(axes, int):
        if axes > min(len(a), len(b)):
            raise OpError(f"{axes} axes of {len(a)} and {len(b)} dimensions")
        left, right = list(range(len(a) - axes, len(a))), list(range(axes))
    else:
        pair = [[x] if isinstance(x, int) else list(x) for x in axes]
        left = [axis_of(x, len(a)) for x in pair[0]]
        right = [axis_of(x, len(b)) for x in pair[1]]
    if len(left) != len(right) or any(
        None not in (a[x], b[y]) and a[x] != b[y] for x, y in zip(left, right, strict=False)
    ):
        raise OpError("the sizes of the axes differ")
    sizes = [size for i, size in enumerate(a) if i not in left]
    return array(
        _promoted(args, "a", "b"),
        (*sizes, *(size for i, size in enumerate(b) if i not in right)),
    )


def _einsum(args: Arguments) -> tuple[Type, ...]:
    formula = args.constant("subscripts").replace(" ", "")
    arrays = [array_of(item) for item in args.items_of("operands")]
    inputs, arrow, output = formula.partition("->")
    terms = inputs.split(",")
    if "." in formula or len(terms) != len(arrays):
        raise Unknown("an ellipsis")
    known: dict[str, int | None] = {}
    for term, each in zip(terms, arrays, strict=True):
        if len(term) != each.ndim:
            raise OpError(f"{term!r} has {len(term)} letters for {each.ndim} dimensions")
        for letter, size in zip(term, each.sizes, strict=True):
            before = known.get(letter)
            if None not in (before, size) and before != size and 1 not in (before, size):
                raise OpError(f"{letter!r} is {before} and {size}")
            known[letter] = size if before in (None, 1) else before
    if not arrow:
        output = "".join(sorted(x for x in known if inputs.count(x) == 1))
    element = args.element() or promote_all(default(each.element) for each in arrays)
    if element is None or any(letter not in known for letter in output):
        raise Unknown("element types")
    return array(element, tuple(known[letter] for letter in output))


def _cross(args: Arguments) -> tuple[Type, ...]:
    a, b = args.array("a"), args.array("b")
    if args.given("axis") or a.sizes[-1:] != (3,) or b.sizes[-1:] != (3,):
        raise Unknown("axis")
    return array(_promoted(args, "a", "b"), (*broadcast(a.sizes[:-1], b.sizes[:-1]), 3))


def _linalg_element(element: str) -> str:
    element = default(element)
    if element == "f16":
        raise OpError("linear algebra isn't defined for f16")
    return element if element in ("f32", "f64", *COMPLEX) else "f64"


def _square(sizes: Sizes) -> int | None:
    if len(sizes) < 2:
        raise OpError("linear algebra needs at least two dimensions")
    if None not in sizes[-2:] and sizes[-1] != sizes[-2]:
        raise OpError(f"a square matrix is needed, not {sizes[-2]} by {sizes[-1]}")
    return sizes[-1] if sizes[-1] is not None else sizes[-2]


def _matrix(shape: str, *, square: bool = True, parts: bool = False) -> TypeRule:
    """Results of a matrix as letters: ``n`` is its size (``m`` by ``n`` if it isn't square)."""

    def rule(args: Arguments) -> tuple[Type, ...]:
        source = args.array("a")
        element = _linalg_element(source.element)
        if square:
            _square(source.sizes)
        elif source.ndim < 2:
            raise OpError("linear algebra needs at least two dimensions")
        m, n = source.sizes[-2:]
        least = None if m is None or n is None else min(m, n)
        sizes = {"m": m, "n": n, "k": least}
        return array(
            real(element) if parts else element,
            (*source.sizes[:-2], *(sizes[letter] for letter in shape)),
        )

    return rule


def _solve(args: Arguments) -> tuple[Type, ...]:
    a, b = args.array("a"), args.array("b")
    n = _square(a.sizes)
    element = promote_all([_linalg_element(a.element), _linalg_element(b.element)])
    if element is None:
        raise Unknown("element types")
    if b.ndim == 1:
        if None not in (n, b.sizes[0]) and b.sizes[0] != n:
            raise OpError(f"{n} equations for {b.sizes[0]} values")
        return array(element, (*a.sizes[:-2], n))
    if b.ndim < 2:
        raise OpError("the right side needs a dimension")
    if None not in (n, b.sizes[-2]) and b.sizes[-2] != n:
        raise OpError(f"{n} equations for {b.sizes[-2]} values")
    return array(element, (*broadcast(a.sizes[:-2], b.sizes[:-2]), n, b.sizes[-1]))


def _qr(args: Arguments) -> tuple[Type, ...]:
    source, mode = args.array("a"), args.constant("mode", "reduced")
    element = _linalg_element(source.element)
    if source.ndim < 2:
        raise OpError("linear algebra needs at least two dimensions")
    *batch, m, n = source.sizes
    k = None if m is None or n is None else min(m, n)
    if mode == "r":
        return array(element, (*batch, k, n))
    if mode not in ("reduced", "complete"):
        raise Unknown("mode")
    rows = m if mode == "complete" else k
    return (ArrayType(element, (*batch, m, rows)), ArrayType(element, (*batch, rows, n)))


def _svd(args: Arguments) -> tuple[Type, ...]:
    source = args.array("a")
    element = _linalg_element(source.element)
    if source.ndim < 2:
        raise OpError("linear algebra needs at least two dimensions")
    *batch, m, n = source.sizes
    k = None if m is None or n is None else min(m, n)
    values = ArrayType(real(element), (*batch, k))
    if not args.constant("compute_uv", True):
        return (values,)
    full = args.constant("full_matrices", True)
    u = ArrayType(element, (*batch, m, m if full else k))
    return (u, values, ArrayType(element, (*batch, n if full else k, n)))


def _eigh(args: Arguments) -> tuple[Type, ...]:
    source = args.array("a")
    element = _linalg_element(source.element)
    _square(source.sizes)
    return (ArrayType(real(element), source.sizes[:-1]), ArrayType(element, source.sizes))


def _slogdet(args: Arguments) -> tuple[Type, ...]:
    source = args.array("a")
    element = _linalg_element(source.element)
    _square(source.sizes)
    batch = source.sizes[:-2]
    return (ArrayType(element, batch), ArrayType(real(element), batch))


def _matrix_power(args: Arguments) -> tuple[Type, ...]:
    source = args.array("a")
    _square(source.sizes)
    if args.constant("n") < 0 or default(source.element) == "bool":
        raise Unknown("the inverse")
    return array(source.element, source.sizes)


def _rank(args: Arguments) -> tuple[Type, ...]:
    return array("i64", args.array("A").sizes[:-2])


def _fft(kind: str) -> TypeRule:
    """Transforms along one axis: ``c`` complex, ``r`` real to complex, ``i`` complex to real."""

    def rule(args: Arguments) -> tuple[Type, ...]:
        source = args.array("a")
        axis = axis_of(args.constant("axis", -1), source.ndim)
        element = _complex(source.element)
        size = args.constant("n", None)
        before = source.sizes[axis]
        if size is None:
            size = before if kind != "i" else None if before is None else 2 * (before - 1)
        if size is not None and size < 1:
            raise OpError(f"{size} points to transform")
        if kind == "r":
            if default(source.element) in COMPLEX:
                raise OpError("a real transform of complex numbers")
            size = None if size is None else size // 2 + 1
        sizes = (*source.sizes[:axis], size, *source.sizes[axis + 1 :])
        return array(real(element) if kind == "i" else element, sizes)

    return rule


def _fftn(args: Arguments) -> tuple[Type, ...]:
    source = args.array("a")
    if args.given("s") or args.given("axes"):
        raise Unknown("s, axes")
    if 0 in source.sizes or (args.op.symbol.name.endswith("fft2") and source.ndim < 2):
        raise OpError("nothing to transform")
    return array(_complex(source.element), source.sizes)


def _complex(element: str) -> str:
    element = default(element)
    if element in COMPLEX:
        return element
    if element == "f16":
        raise Unknown("f16")
    return "c64" if element == "f32" else "c128"


def _shifted(args: Arguments) -> tuple[Type, ...]:
    source = args.array("x")
    return array(source.element, source.sizes)


def _frequencies(args: Arguments) -> tuple[Type, ...]:
    n = args.constant("n")
    return array("f64", (n // 2 + 1 if args.op.symbol.name.endswith("rfftfreq") else n,))


_FFT = "a, n=None, axis=-1, norm=None, out=None"
_FFT2 = "a, s=None, axes=(-2, -1), norm=None, out=None"
_FFTN = "a, s=None, axes=None, norm=None, out=None"
_SPD = "np.array([[2.0, 1.0], [1.0, 2.0]])"

OPS: list[OpInfo] = [
    *op(
        "np.matmul",
        "x1, x2, /, out=None, *, dtype=None",
        _matmul,
        "The matrix product, batched over leading axes.",
        "np.matmul(np.ones((2, 3)), np.ones((3, 4)))",
        inplace=True,
        gradient=(products.matmul_left, products.matmul_right),
        transposing="ir.matmul",
    ),
    *op(
        "np.dot",
        "a, b, out=None",
        _dot,
        "The product over the last axis of a.",
        "np.dot(np.ones(3), np.ones(3))",
        methods=["dot"],
        gradient=Through(products.dot),
    ),
    *op(
        "np.vdot",
        "a, b, /",
        _vdot,
        "The product of two flat arrays.",
        "np.vdot(np.ones(3), np.ones(3))",
        gradient=Through("np.sum(conj(np.ravel(a)) * np.ravel(b))"),
    ),
    *op(
        "np.inner",
        "a, b, /",
        _inner,
        "The product over the last axes.",
        "np.inner(np.ones(3), np.ones(3))",
        gradient=Through(products.inner),
    ),
    *op(
        "np.outer",
        "a, b, out=None",
        _outer,
        "Every product of two elements.",
        "np.outer(np.ones(2), np.ones(3))",
        gradient=Through("np.expand_dims(np.ravel(a), 1) * np.ravel(b)"),
    ),
    *op(
        "np.kron",
        "a, b",
        _kron,
        "The Kronecker product.",
        "np.kron(np.eye(2), np.ones((1, 2)))",
        gradient=Through(products.kronecker),
    ),
    *op(
        "np.tensordot",
        "a, b, axes=2",
        _tensordot,
        "The product over several axes.",
        "np.tensordot(np.ones((2, 3)), np.ones((3, 2)), axes=1)",
        gradient=Through(products.tensordot),
    ),
    *op(
        "np.einsum",
        "subscripts, *operands, out=None, dtype=None, order='K', casting='safe', optimize=False",
        _einsum,
        "The sum of products by Einstein's convention.",
        "np.einsum('ij,jk->ik', np.ones((2, 3)), np.ones((3, 4)))",
        aliases=(1,),
        gradient=(None, products.einsum),
    ),
    *op(
        "np.cross",
        "a, b, axisa=-1, axisb=-1, axisc=-1, axis=None",
        _cross,
        "The cross product.",
        "np.cross(np.ones(3), np.ones(3))",
        gradient=Through(products.cross),
    ),
    *op(
        "np.linalg.multi_dot",
        "arrays, *, out=None",
        None,
        "The product of several matrices.",
        "np.linalg.multi_dot([np.eye(2), np.eye(2)])",
        gradient=Through(products.chain),
    ),
    *op(
        "np.linalg.inv",
        "a",
        _matrix("nn"),
        "The inverse.",
        f"np.linalg.inv({_SPD})",
        gradient=(decompositions.inverse,),
    ),
    *op(
        "np.linalg.pinv",
        "a, rcond=None, hermitian=False, *, rtol=None",
        _matrix("nm", square=False),
        "The pseudo-inverse.",
        "np.linalg.pinv(np.ones((2, 3)))",
        gradient=Through(decompositions.pseudo_inverse),
    ),
    *op(
        "np.linalg.det",
        "a",
        _matrix(""),
        "The determinant.",
        f"np.linalg.det({_SPD})",
        gradient=(decompositions.determinant,),
    ),
    *op(
        "np.linalg.slogdet",
        "a",
        _slogdet,
        "Sign and logarithm of the determinant.",
        f"np.linalg.slogdet({_SPD})",
        outputs=2,
        gradient=(decompositions.log_determinant,),
    ),
    *op(
        "np.linalg.solve",
        "a, b",
        _solve,
        "The solution of linear equations.",
        f"np.linalg.solve({_SPD}, np.ones(2))",
        gradient=(decompositions.solution, decompositions.solution_right),
    ),
    *op(
        "np.linalg.lstsq",
        "a, b, rcond=None",
        None,
        "The solution of least squares.",
        f"np.linalg.lstsq({_SPD}, np.ones(2))",
        outputs=4,
        gradient=Through(decompositions.least_squares),
    ),
    *op(
        "np.linalg.cholesky",
        "a, /, *, upper=False",
        _matrix("nn"),
        "The Cholesky factor.",
        f"np.linalg.cholesky({_SPD})",
        gradient=(decompositions.cholesky,),
    ),
    *op(
        "np.linalg.qr",
        "a, mode='reduced'",
        _qr,
        "An orthogonal and a triangular factor.",
        "np.linalg.qr(np.ones((3, 2)))",
        outputs=None,
        gradient=(decompositions.qr,),
    ),
    *op(
        "np.linalg.svd",
        "a, full_matrices=True, compute_uv=True, hermitian=False",
        _svd,
        "The singular value decomposition.",
        "np.linalg.svd(np.ones((2, 3)))",
        outputs=None,
        gradient=(decompositions.svd,),
    ),
    *op(
        "np.linalg.svdvals",
        "x, /",
        None,
        "The singular values.",
        "np.linalg.svdvals(np.ones((2, 3)))",
        gradient=Through("np.linalg.svd(x, compute_uv=False)"),
    ),
    *op(
        "np.linalg.eig",
        "a",
        None,
        "Eigenvalues and eigenvectors.",
        f"np.linalg.eig({_SPD})",
        outputs=2,
        gradient=(decompositions.eig,),
    ),
    *op(
        "np.linalg.eigh",
        "a, UPLO='L'",
        _eigh,
        "Eigenvalues and eigenvectors of a symmetric matrix.",
        f"np.linalg.eigh({_SPD})",
        outputs=2,
        gradient=(decompositions.eigh,),
    ),
    *op(
        "np.linalg.eigvals",
        "a",
        None,
        "Eigenvalues.",
        f"np.linalg.eigvals({_SPD})",
        gradient=Through(decompositions.eigenvalues_of_any),
    ),
    *op(
        "np.linalg.eigvalsh",
        "a, UPLO='L'",
        _matrix("n", parts=True),
        "Eigenvalues of a symmetric matrix.",
        f"np.linalg.eigvalsh({_SPD})",
        gradient=Through(decompositions.eigenvalues),
    ),
    *op(
        "np.linalg.matrix_power",
        "a, n",
        _matrix_power,
        "A product with itself.",
        f"np.linalg.matrix_power({_SPD}, 2)",
        aliases=(0,),
        gradient=Through(products.power),
    ),
    *op(
        "np.linalg.matrix_rank",
        "A, tol=None, hermitian=False, *, rtol=None",
        _rank,
        "The rank.",
        f"np.linalg.matrix_rank({_SPD})",
        gradient=FLAT,
    ),
    *op(
        "np.linalg.cond",
        "x, p=None",
        None,
        "The condition number.",
        f"np.linalg.cond({_SPD})",
        gradient=Through(decompositions.condition),
    ),
    *op(
        "np.fft.fft",
        _FFT,
        _fft("c"),
        "The Fourier transform.",
        "np.fft.fft(np.ones(4))",
        gradient=(transforms.same("fft"),),
    ),
    *op(
        "np.fft.ifft",
        _FFT,
        _fft("c"),
        "The inverse Fourier transform.",
        "np.fft.ifft(np.ones(4))",
        gradient=(transforms.same("ifft"),),
    ),
    *op(
        "np.fft.rfft",
        _FFT,
        _fft("r"),
        "The Fourier transform of real numbers.",
        "np.fft.rfft(np.ones(4))",
        gradient=(transforms.to_half,),
    ),
    *op(
        "np.fft.irfft",
        _FFT,
        _fft("i"),
        "The inverse of rfft.",
        "np.fft.irfft(np.ones(3))",
        gradient=(transforms.from_half,),
    ),
    *op(
        "np.fft.fft2",
        _FFT2,
        _fftn,
        "The Fourier transform of two axes.",
        "np.fft.fft2(np.ones((2, 2)))",
        gradient=Through(transforms.along_axes("fft")),
    ),
    *op(
        "np.fft.ifft2",
        _FFT2,
        _fftn,
        "Its inverse.",
        "np.fft.ifft2(np.ones((2, 2)))",
        gradient=Through(transforms.along_axes("ifft")),
    ),
    *op(
        "np.fft.fftn",
        _FFTN,
        _fftn,
        "The Fourier transform of all axes.",
        "np.fft.fftn(np.ones((2, 2)))",
        gradient=Through(transforms.along_axes("fft")),
    ),
    *op(
        "np.fft.ifftn",
        _FFTN,
        _fftn,
        "Its inverse.",
        "np.fft.ifftn(np.ones((2, 2)))",
        gradient=Through(transforms.along_axes("ifft")),
    ),
    *op(
        "np.fft.fftshift",
        "x, axes=None",
        _shifted,
        "Frequency 0 in the middle.",
        "np.fft.fftshift(np.ones(4))",
        gradient=(transforms.shifted("ifftshift"),),
    ),
    *op(
        "np.fft.ifftshift",
        "x, axes=None",
        _shifted,
        "Its inverse.",
        "np.fft.ifftshift(np.ones(4))",
        gradient=(transforms.shifted("fftshift"),),
    ),
    *op(
        "np.fft.fftfreq",
        "n, d=1.0, device=None",
        _frequencies,
        "The frequencies of fft.",
        "np.fft.fftfreq(4)",
        gradient=(None, "-g * r / d"),
    ),
    *op(
        "np.fft.rfftfreq",
        "n, d=1.0, device=None",
        _frequencies,
        "The frequencies of rfft.",
        "np.fft.rfftfreq(4)",
        gradient=(None, "-g * r / d"),
    ),
]
