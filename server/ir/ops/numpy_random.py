"""NumPy's random numbers. Every draw changes hidden state, so none is removed, joined or moved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..elements import default
from ..gradients.application import FLAT, NoDerivative, unknown
from ..opinfo import Arguments, OpInfo, TypeRule, Unknown, op
from ..rules import array, nothing
from ..shapes import broadcast
from ..types import HandleType, ScalarType, Type

GENERATOR = HandleType("numpy.random.Generator")


def _drawn(element: str, parameters: Sequence[str] = (), size: str = "size") -> TypeRule:
    def rule(args: Arguments) -> tuple[Type, ...]:
        if args.given(size):
            return array(args.element() or element, args.sizes(size))
        arrays = [args.array(name).sizes for name in parameters if args.given(name)]
        if not any(arrays):  # all parameters are scalars: a Python scalar, or one of NumPy
            raise Unknown("a single draw")
        return array(args.element() or element, broadcast(*arrays))

    return rule


def _sizes(args: Arguments) -> tuple[Type, ...]:
    """rand and randn: the sizes are the arguments."""
    sizes = tuple(args.constant("d"))
    return array("f64", sizes) if sizes else (ScalarType("float"),)


def _choice(args: Arguments) -> tuple[Type, ...]:
    source = args.array("a")
    if not args.given("size"):
        raise Unknown("a single draw")
    if source.ndim == 0:
        return array("i64", args.sizes("size"))
    if source.ndim > 1:
        raise Unknown("rows")
    return array(default(source.element), args.sizes("size"))


def _permutation(args: Arguments) -> tuple[Type, ...]:
    source = args.array("x")
    if source.ndim == 0:
        return array("i64", (args.constant("x"),))
    return array(source.element, source.sizes)


def _generator(args: Arguments) -> tuple[Type, ...]:
    return (GENERATOR,)


def _both(
    name: str, signature: str, rule: TypeRule | None, sentence: str, example: str = "", **more: Any
) -> list[OpInfo]:
    """A function of ``np.random`` and the method of ``Generator`` that does the same."""
    more["effects"] = "random"
    method = f"rng, {signature}"
    of_method = more
    if isinstance(more["gradient"], tuple):
        of_method = {**more, "gradient": (None, *more["gradient"])}
    return [
        *op(f"np.random.{name}", signature, rule, sentence, example, **more),
        *op(f"np.random.Generator.{name}", method, rule, sentence, **of_method),
    ]


OPS: list[OpInfo] = [
    *op(
        "np.random.default_rng",
        "seed=None",
        _generator,
        "A new generator.",
        "np.random.default_rng(0)",
        effects="random",
        gradient=FLAT,
    ),
    *op(
        "np.random.seed",
        "seed=None",
        nothing,
        "Sets the state of the global generator.",
        outputs=0,
        effects="random",
        gradient=FLAT,
    ),
    *op(
        "np.random.RandomState",
        "seed=None",
        None,
        "A new generator of the old kind.",
        "np.random.RandomState(0)",
        effects="random",
        gradient=FLAT,
    ),
    *op(
        "np.random.rand",
        "*d",
        _sizes,
        "Uniform in [0, 1).",
        "np.random.rand(2)",
        effects="random",
        gradient=FLAT,
    ),
    *op(
        "np.random.randn",
        "*d",
        _sizes,
        "Normal with mean 0 and deviation 1.",
        "np.random.randn(2)",
        effects="random",
        gradient=FLAT,
    ),
    *op(
        "np.random.randint",
        "low, high=None, size=None, dtype=None",
        _drawn("i64", ["low", "high"]),
        "Whole numbers from low up to high.",
        "np.random.randint(3, size=2)",
        effects="random",
        gradient=FLAT,
    ),
    *op(
        "np.random.random_sample",
        "size=None",
        _drawn("f64"),
        "Uniform in [0, 1).",
        "np.random.random_sample(2)",
        effects="random",
        gradient=FLAT,
    ),
    *op(
        "np.random.random",
        "size=None",
        _drawn("f64"),
        "Uniform in [0, 1).",
        "np.random.random(2)",
        effects="random",
        gradient=FLAT,
    ),
    *op(
        "np.random.Generator.random",
        "rng, size=None, dtype=None, out=None",
        _drawn("f64"),
        "Uniform in [0, 1).",
        effects="random",
        gradient=FLAT,
    ),
    *op(
        "np.random.Generator.integers",
        "rng, low, high=None, size=None, dtype=None, endpoint=False",
        _drawn("i64", ["low", "high"]),
        "Whole numbers from low up to high.",
        effects="random",
        gradient=FLAT,
    ),
    *op(
        "np.random.Generator.permuted",
        "rng, x, *, axis=None, out=None",
        _permutation,
        "Shuffled along an axis.",
        effects="random",
        gradient=NoDerivative("which elements were drawn isn't kept"),
    ),
    *op(
        "np.random.Generator.shuffle",
        "rng, x, axis=0",
        nothing,
        "Shuffles in place.",
        outputs=0,
        mutates=(1,),
        effects="random",
    ),
    *op(
        "np.random.shuffle",
        "x",
        nothing,
        "Shuffles in place.",
        outputs=0,
        mutates=(0,),
        effects="random",
    ),
    *_both(
        "permutation",
        "x, axis=0",
        _permutation,
        "A shuffled copy.",
        "np.random.permutation(3)",
        gradient=NoDerivative("which elements were drawn isn't kept"),
    ),
    *_both(
        "choice",
        "a, size=None, replace=True, p=None, axis=0, shuffle=True",
        _choice,
        "Drawn from an array.",
        "np.random.choice(3, 2)",
        gradient=NoDerivative("which elements were drawn isn't kept"),
    ),
    *_both(
        "uniform",
        "low=0.0, high=1.0, size=None",
        _drawn("f64", ["low", "high"]),
        "Uniform from low up to high.",
        "np.random.uniform(size=2)",
        gradient=(
            "g * (high - r) / (high - low)",
            "g * (r - low) / (high - low)",
        ),
    ),
    *_both(
        "normal",
        "loc=0.0, scale=1.0, size=None",
        _drawn("f64", ["loc", "scale"]),
        "Normal.",
        "np.random.normal(size=2)",
        gradient=(
            "g",
            "g * (r - loc) / scale",
        ),
    ),
    *op(
        "np.random.standard_normal",
        "size=None",
        _drawn("f64"),
        "Normal with mean 0 and deviation 1.",
        "np.random.standard_normal(2)",
        effects="random",
        gradient=FLAT,
    ),
    *op(
        "np.random.Generator.standard_normal",
        "rng, size=None, dtype=None, out=None",
        _drawn("f64"),
        "Normal with mean 0 and deviation 1.",
        effects="random",
        gradient=FLAT,
    ),
    *_both(
        "exponential",
        "scale=1.0, size=None",
        _drawn("f64", ["scale"]),
        "Exponential.",
        "np.random.exponential(size=2)",
        gradient=("g * r / scale",),
    ),
    *_both(
        "poisson",
        "lam=1.0, size=None",
        _drawn("i64", ["lam"]),
        "Poisson.",
        "np.random.poisson(size=2)",
        gradient=FLAT,
    ),
    *_both(
        "binomial",
        "n, p, size=None",
        _drawn("i64", ["n", "p"]),
        "Binomial.",
        "np.random.binomial(3, 0.5, 2)",
        gradient=FLAT,
    ),
    *_both(
        "beta",
        "a, b, size=None",
        _drawn("f64", ["a", "b"]),
        "Beta.",
        "np.random.beta(1, 1, 2)",
        gradient=NoDerivative("deviates by the shape of their distribution aren't differentiated"),
    ),
    *_both(
        "gamma",
        "shape, scale=1.0, size=None",
        _drawn("f64", ["shape", "scale"]),
        "Gamma.",
        "np.random.gamma(1, 1, 2)",
        gradient=(
            unknown("a deviate by the shape of its distribution"),
            "g * r / scale",
        ),
    ),
    *_both(
        "laplace",
        "loc=0.0, scale=1.0, size=None",
        _drawn("f64", ["loc", "scale"]),
        "Laplace.",
        "np.random.laplace(size=2)",
        gradient=(
            "g",
            "g * (r - loc) / scale",
        ),
    ),
    *_both(
        "lognormal",
        "mean=0.0, sigma=1.0, size=None",
        _drawn("f64", ["mean", "sigma"]),
        "Log-normal.",
        "np.random.lognormal(size=2)",
        gradient=(
            "g * r",
            "g * r * (np.log(r) - mean) / sigma",
        ),
    ),
    *_both(
        "geometric",
        "p, size=None",
        _drawn("i64", ["p"]),
        "Geometric.",
        "np.random.geometric(0.5, 2)",
        gradient=FLAT,
    ),
    *_both(
        "multivariate_normal",
        "mean, cov, size=None",
        None,
        "Normal in several dimensions.",
        "np.random.multivariate_normal([0], [[1]])",
        gradient=(
            "g",
            unknown("a deviate by its covariance"),
        ),
    ),
]
