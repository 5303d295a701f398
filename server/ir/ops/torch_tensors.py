"""PyTorch's functions of tensors, and the methods that do the same.

A function that is a method too is declared once, and where there is a form in place (``add_``), it
belongs to the same declaration.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..elements import real
from ..opinfo import OpInfo, TypeRule, op
from ..rules import nothing
from ..symbol import Symbol
from ..torch_rules import (
    along,
    arange,
    cat,
    converted,
    created,
    data,
    elementwise,
    expand,
    extreme,
    eye,
    flatten,
    gather,
    index_select,
    inexact,
    keep,
    last_two,
    like,
    mean_element,
    outer,
    permute,
    pieces,
    product,
    reduction,
    repeat,
    reshape,
    same_sizes,
    scan,
    shaped,
    sorted_values,
    squared,
    squeeze,
    stack,
    sum_element,
    swap,
    tensor,
    to_type,
    topk,
    transposed,
    truth,
    unbind,
    unsqueeze,
)


def _both(
    name: str,
    signature: str,
    rule: TypeRule | None,
    sentence: str,
    example: str = "",
    *,
    inplace: bool = False,
    method: str | None = None,
    **more: Any,
) -> list[OpInfo]:
    """A function, the method of tensors that does the same, and its form in place."""
    (info,) = op(f"torch.{name}", signature, rule, sentence, example, **more)
    method = method or name.rsplit(".")[-1]
    own = replace(info, symbol=Symbol("torch", f"Tensor.{method}"), example="")
    infos = [info, own]
    if inplace:
        written = replace(
            own,
            symbol=Symbol("torch", f"Tensor.{method}_"),
            outputs=0,
            type_rule=nothing,
            mutates=(0,),
            aliases=(),
            fusible=False,
            export=None,
        )
        infos.append(written)
    return infos


def _unary(name: str, sentence: str, **more: Any) -> list[OpInfo]:
    result = more.pop("result", inexact)
    example = f"torch.{name}(torch.tensor([0.5, 0.25]))"
    return _both(
        name,
        "input, *, out=None",
        same_sizes(result),
        sentence,
        example,
        inplace=True,
        fusible=True,
        **more,
    )


def _binary(name: str, sentence: str, **more: Any) -> list[OpInfo]:
    rule = elementwise("input", "other", result=more.pop("result", None))
    example = f"torch.{name}(torch.tensor([3.0, 4.0]), 2.0)"
    example = more.pop("example", example)
    more = {"inplace": True, "fusible": True, **more}
    signature = more.pop("signature", "input, other, *, out=None")
    return _both(name, signature, rule, sentence, example, **more)


_X = "torch.ones(2, 3)"
_SUM = "input, dim=None, keepdim=False, *, dtype=None"
_DIM = "input, dim=None, keepdim=False"
_MAKE = "*size, out=None, dtype=None, device=None, requires_grad=False"
_VIEW = (0,)
_CONV = (
    "in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True"
)
_RANDOM: dict[str, Any] = {"effects": "random"}
_LIKE = "input, *, dtype=None, device=None, requires_grad=False"

OPS: list[OpInfo] = [
    # arithmetic
    *_binary(
        "add",
        "The sum.",
        signature="input, other, *, alpha=1, out=None",
    ),
    *_binary(
        "sub",
        "The difference.",
        signature="input, other, *, alpha=1, out=None",
    ),
    *_binary("mul", "The product of elements.", export="Mul"),
    *_binary(
        "div",
        "The quotient.",
        result=inexact,
        signature="input, other, *, rounding_mode=None, out=None",
    ),
    *_binary("pow", "A power.", signature="input, other, *, out=None"),
    *_binary("remainder", "The remainder with the sign of the divisor."),
    *_binary("fmod", "The remainder with the sign of the dividend."),
    *_binary("floor_divide", "The quotient rounded down."),
    *_binary(
        "maximum",
        "The larger.",
        inplace=False,
        example="torch.maximum(torch.ones(2), torch.zeros(2))",
        export="Max",
    ),
    *_binary(
        "minimum",
        "The smaller.",
        inplace=False,
        example="torch.minimum(torch.ones(2), torch.zeros(2))",
        export="Min",
    ),
    *_binary(
        "atan2",
        "The angle of a point.",
        result=inexact,
        example="torch.atan2(torch.ones(2), torch.ones(2))",
    ),
    *(
        info
        for name, sentence in {
            "eq": "equal",
            "ne": "different",
            "lt": "less",
            "le": "less or equal",
            "gt": "greater",
            "ge": "greater or equal",
        }.items()
        for info in _binary(name, f"Whether it is {sentence}.", result="bool")
    ),
    *(
        info
        for name in ("logical_and", "logical_or", "logical_xor")
        for info in _binary(
            name,
            "Of truth values.",
            result="bool",
            example=f"torch.{name}(torch.ones(2), torch.ones(2))",
        )
    ),
    *(
        info
        for name in ("bitwise_and", "bitwise_or", "bitwise_xor")
        for info in _binary(
            name,
            "Of bits, or of truth values.",
            example=f"torch.{name}(torch.tensor([6, 4]), 3)",
        )
    ),
    *_unary("neg", "The other sign.", result=None, export="Neg"),
    *_unary("abs", "Without the sign.", result=real),
    *_unary("square", "The square.", result=squared),
    *_unary("sign", "-1, 0 or 1.", result=None, export="Sign"),
    *_unary("logical_not", "Whether it is false.", result="bool", export="Not"),
    *_both(
        "bitwise_not",
        "input, *, out=None",
        same_sizes(),
        "Every bit flipped, or the opposite of truth values.",
        "torch.bitwise_not(torch.tensor([6, 4]))",
        inplace=True,
        fusible=True,
    ),
    *_unary("trunc", "Rounded towards 0.", result=None),
    *_unary("floor", "Rounded down.", result=None),
    *_unary("ceil", "Rounded up.", result=None),
    *_unary("round", "Rounded to the nearest, ties to even.", result=None),
    *(
        info
        for name, (sentence, onnx) in {
            "exp": ("e to the power of x.", "Exp"),
            "log": ("The natural logarithm.", "Log"),
            "log2": ("The logarithm to base 2.", None),
            "log1p": ("log(1 + x), exact near 0.", None),
            "expm1": ("exp(x) - 1, exact near 0.", None),
            "sqrt": ("The square root.", "Sqrt"),
            "rsqrt": ("1 / sqrt(x).", None),
            "reciprocal": ("1 / x.", "Reciprocal"),
            "sin": ("The sine.", "Sin"),
            "cos": ("The cosine.", "Cos"),
            "tan": ("The tangent.", "Tan"),
            "sinh": ("The hyperbolic sine.", "Sinh"),
            "cosh": ("The hyperbolic cosine.", "Cosh"),
            "tanh": ("The hyperbolic tangent.", None),
            "sigmoid": ("1 / (1 + exp(-x)).", None),
            "erf": ("The error function.", "Erf"),
        }.items()
        for info in _unary(name, sentence, export=onnx)
    ),
    *op(
        "torch.isnan",
        "input",
        same_sizes("bool"),
        "Whether it is NaN.",
        f"torch.isnan({_X})",
        fusible=True,
    ),
    *op(
        "torch.isfinite",
        "input",
        same_sizes("bool"),
        "Whether it is neither NaN nor infinite.",
        f"torch.isfinite({_X})",
        fusible=True,
    ),
    *_both(
        "clamp",
        "input, min=None, max=None, *, out=None",
        elementwise("input", "min", "max"),
        "Held between two bounds.",
        f"torch.clamp({_X}, 0, 1)",
        inplace=True,
        fusible=True,
    ),
    *op(
        "torch.where",
        "condition, input, other",
        elementwise("input", "other"),
        "From one of two tensors.",
        "torch.where(torch.ones(2) > 0, 1.0, 0.0)",
    ),
    *_both(
        "relu",
        "input",
        same_sizes(),
        "The larger of x and 0.",
        f"torch.relu({_X})",
        inplace=True,
        fusible=True,
    ),
    *op(
        "torch.getitem",
        "input, index",
        None,
        "What an index selects.",
        "torch.ones(2, 3)[0]",
        aliases=_VIEW,
    ),
    # reductions and order
    *_both("sum", _SUM, reduction(sum_element), "The sum.", f"torch.sum({_X}, 0)"),
    *_both(
        "mean",
        _SUM,
        reduction(mean_element),
        "The mean.",
        f"torch.mean({_X}, 0)",
    ),
    *_both("prod", _SUM, reduction(sum_element), "The product.", f"torch.prod({_X}, 0)"),
    *_both(
        "std",
        "input, dim=None, *, correction=1, keepdim=False",
        reduction(mean_element),
        "The standard deviation.",
        f"torch.std({_X}, 0)",
    ),
    *_both(
        "var",
        "input, dim=None, *, correction=1, keepdim=False",
        reduction(mean_element),
        "The variance.",
        f"torch.var({_X}, 0)",
    ),
    *_both("amax", _DIM, reduction(), "The largest.", f"torch.amax({_X}, 0)"),
    *_both("amin", _DIM, reduction(), "The smallest.", f"torch.amin({_X}, 0)"),
    *_both(
        "argmax",
        _DIM,
        reduction("i64"),
        "Where the largest is.",
        f"torch.argmax({_X}, 0)",
    ),
    *_both(
        "argmin",
        _DIM,
        reduction("i64"),
        "Where the smallest is.",
        f"torch.argmin({_X}, 0)",
    ),
    *_both("all", _DIM, reduction(truth), "Whether all are true.", f"torch.all({_X}, 0)"),
    *_both("any", _DIM, reduction(truth), "Whether one is true.", f"torch.any({_X}, 0)"),
    *_both(
        "logsumexp",
        "input, dim, keepdim=False",
        reduction(inexact),
        "log(sum(exp(x))) without overflow.",
        f"torch.logsumexp({_X}, 0)",
    ),
    *_both("max", _DIM, extreme, "The largest.", f"torch.max({_X}, 0)", outputs=None),
    *_both("min", _DIM, extreme, "The smallest.", f"torch.min({_X}, 0)", outputs=None),
    *_both(
        "cumsum",
        "input, dim, *, dtype=None",
        scan,
        "Sums of all up to here.",
        f"torch.cumsum({_X}, 0)",
    ),
    *_both(
        "cumprod",
        "input, dim, *, dtype=None",
        scan,
        "Products of all up to here.",
        f"torch.cumprod({_X}, 0)",
    ),
    *_both(
        "softmax",
        "input, dim, *, dtype=None",
        along,
        "exp(x) as parts of their sum.",
        f"torch.softmax({_X}, 0)",
    ),
    *_both(
        "log_softmax",
        "input, dim, *, dtype=None",
        along,
        "The logarithm of softmax.",
        f"torch.log_softmax({_X}, 0)",
    ),
    *_both(
        "sort",
        "input, dim=-1, descending=False, stable=False",
        sorted_values,
        "Sorted values and their indices.",
        f"torch.sort({_X})",
        outputs=2,
    ),
    *_both(
        "argsort",
        "input, dim=-1, descending=False",
        same_sizes("i64"),
        "The indices that sort.",
        f"torch.argsort({_X})",
    ),
    *_both(
        "topk",
        "input, k, dim=-1, largest=True, sorted=True",
        topk,
        "The largest values and their indices.",
        f"torch.topk({_X}, 2)",
        outputs=2,
    ),
    # shapes
    *_both(
        "reshape",
        "input, *shape",
        shaped(reshape),
        "The same elements in other sizes.",
        f"torch.reshape({_X}, (3, 2))",
        aliases=_VIEW,
    ),
    *op(
        "torch.Tensor.view",
        "input, *shape",
        shaped(reshape),
        "The same memory in other sizes.",
        f"{_X}.view(3, 2)",
        aliases=_VIEW,
    ),
    *_both(
        "flatten",
        "input, start_dim=0, end_dim=-1",
        shaped(flatten),
        "Dimensions made one.",
        f"torch.flatten({_X})",
        aliases=_VIEW,
    ),
    *_both(
        "transpose",
        "input, dim0, dim1",
        shaped(swap),
        "Two dimensions exchanged.",
        f"torch.transpose({_X}, 0, 1)",
        aliases=_VIEW,
    ),
    *_both(
        "permute",
        "input, *dims",
        shaped(permute),
        "Dimensions in another order.",
        f"torch.permute({_X}, (1, 0))",
        aliases=_VIEW,
    ),
    *_both(
        "t",
        "input",
        shaped(transposed),
        "The two dimensions exchanged.",
        f"torch.t({_X})",
        aliases=_VIEW,
    ),
    *op(
        "torch.Tensor.T",
        "input",
        shaped(transposed),
        "The two dimensions exchanged.",
        f"{_X}.T",
        aliases=_VIEW,
    ),
    *op(
        "torch.Tensor.mT",
        "input",
        shaped(last_two),
        "The last two dimensions exchanged.",
        f"{_X}.mT",
        aliases=_VIEW,
    ),
    *_both(
        "squeeze",
        "input, dim=None",
        shaped(squeeze),
        "Without dimensions of size 1.",
        f"torch.squeeze({_X})",
        aliases=_VIEW,
    ),
    *_both(
        "unsqueeze",
        "input, dim",
        shaped(unsqueeze),
        "With a dimension of size 1 more.",
        f"torch.unsqueeze({_X}, 0)",
        aliases=_VIEW,
    ),
    *op(
        "torch.Tensor.expand",
        "input, *sizes",
        shaped(expand),
        "Repeated without a copy.",
        "torch.ones(3, 1).expand(3, 4)",
        aliases=_VIEW,
    ),
    *op(
        "torch.Tensor.repeat",
        "input, *repeats",
        shaped(repeat),
        "Repeated.",
        f"{_X}.repeat(2, 2)",
    ),
    *op(
        "torch.Tensor.contiguous",
        "input",
        shaped(keep),
        "In C order, without a copy where it is.",
        f"{_X}.contiguous()",
        aliases=_VIEW,
    ),
    *_both(
        "clone",
        "input, *, memory_format=None",
        shaped(keep),
        "A copy.",
        f"torch.clone({_X})",
    ),
    *_both(
        "detach",
        "input",
        shaped(keep),
        "The same memory without gradient.",
        f"torch.detach({_X})",
        aliases=_VIEW,
    ),
    *op(
        "torch.cat",
        "tensors, dim=0, *, out=None",
        cat,
        "One after the other.",
        f"torch.cat([{_X}, {_X}])",
    ),
    *op(
        "torch.stack",
        "tensors, dim=0, *, out=None",
        stack,
        "Along a new dimension.",
        f"torch.stack([{_X}, {_X}])",
    ),
    *_both(
        "chunk",
        "input, chunks, dim=0",
        pieces,
        "In so many pieces.",
        f"torch.chunk({_X}, 2)",
        outputs=None,
        aliases=_VIEW,
    ),
    *_both(
        "split",
        "input, split_size_or_sections, dim=0",
        pieces,
        "In pieces of a size.",
        f"torch.split({_X}, 1)",
        outputs=None,
        aliases=_VIEW,
    ),
    *_both(
        "unbind",
        "input, dim=0",
        unbind,
        "Each slice of a dimension.",
        f"torch.unbind({_X})",
        outputs=None,
        aliases=_VIEW,
    ),
    *_both(
        "flip", "input, dims", shaped(keep), "In the opposite order.", f"torch.flip({_X}, (0,))"
    ),
    *_both(
        "roll", "input, shifts, dims=None", shaped(keep), "Moved round.", f"torch.roll({_X}, 1)"
    ),
    *_both(
        "tril",
        "input, diagonal=0",
        shaped(keep),
        "The lower triangle.",
        f"torch.tril({_X})",
        inplace=True,
    ),
    *_both(
        "triu",
        "input, diagonal=0",
        shaped(keep),
        "The upper triangle.",
        f"torch.triu({_X})",
        inplace=True,
    ),
    *_both(
        "index_select",
        "input, dim, index",
        index_select,
        "Slices at indices.",
        f"torch.index_select({_X}, 0, torch.tensor([0]))",
    ),
    *_both(
        "gather",
        "input, dim, index",
        gather,
        "Elements at indices.",
        f"torch.gather({_X}, 0, torch.tensor([[0, 1, 0]]))",
    ),
    *_both(
        "masked_fill",
        "input, mask, value",
        shaped(keep),
        "With a value where a mask holds.",
        f"torch.masked_fill({_X}, {_X} > 0, 0.0)",
        inplace=True,
    ),
    *_both(
        "masked_select",
        "input, mask",
        lambda args: tensor(args, args.array("input").element, (None,)),
        "Elements where a mask holds.",
        f"torch.masked_select({_X}, {_X} > 0)",
    ),
    # types and devices
    *op(
        "torch.Tensor.to",
        "input, *args, dtype=None, device=None, copy=False",
        to_type,
        "Of another type or on another device.",
        f"{_X}.to(torch.float64)",
        aliases=_VIEW,
    ),
    *(
        info
        for name, element in {
            "float": "f32",
            "double": "f64",
            "half": "f16",
            "bfloat16": "bf16",
            "long": "i64",
            "int": "i32",
            "bool": "bool",
        }.items()
        for info in op(
            f"torch.Tensor.{name}",
            "input",
            converted(element),
            f"As {element}.",
            f"{_X}.{name}()",
            aliases=_VIEW,
        )
    ),
    *op(
        "torch.Tensor.item",
        "input",
        None,
        "One element as a Python scalar.",
        "torch.ones(1).item()",
    ),
    *op("torch.Tensor.tolist", "input", None, "As nested Python lists.", f"{_X}.tolist()"),
    *op(
        "torch.Tensor.numpy",
        "input",
        None,
        "The same memory as an array of NumPy.",
        f"{_X}.numpy()",
        aliases=_VIEW,
    ),
    *op(
        "torch.Tensor.cpu",
        "input",
        None,
        "In the memory of the processor.",
        f"{_X}.cpu()",
        aliases=_VIEW,
    ),
    *op("torch.Tensor.cuda", "input, device=None", None, "In the memory of a GPU.", aliases=_VIEW),
    # products and linear algebra
    *_both(
        "matmul",
        "input, other, *, out=None",
        product("input", "other"),
        "The matrix product.",
        f"torch.matmul({_X}, {_X}.T)",
    ),
    *_both(
        "mm",
        "input, mat2, *, out=None",
        product("input", "mat2", (2, 2)),
        "The product of two matrices.",
        f"torch.mm({_X}, {_X}.T)",
    ),
    *_both(
        "bmm",
        "input, mat2, *, out=None",
        product("input", "mat2", (3, 3)),
        "Products of batches of matrices.",
        "torch.bmm(torch.ones(2, 3, 4), torch.ones(2, 4, 3))",
    ),
    *_both(
        "mv",
        "input, vec, *, out=None",
        product("input", "vec", (2, 1)),
        "A matrix by a vector.",
        f"torch.mv({_X}, torch.ones(3))",
    ),
    *_both(
        "dot",
        "input, tensor, *, out=None",
        product("input", "tensor", (1, 1)),
        "The product of two vectors.",
        "torch.dot(torch.ones(3), torch.ones(3))",
    ),
    *_both(
        "outer",
        "input, vec2, *, out=None",
        outer,
        "Every product of two elements.",
        "torch.outer(torch.ones(2), torch.ones(3))",
    ),
    *op(
        "torch.einsum",
        "equation, *operands",
        None,
        "The sum of products by Einstein's convention.",
        f"torch.einsum('ij,jk->ik', {_X}, {_X}.T)",
    ),
    # creation
    *op(
        "torch.tensor",
        "data, *, dtype=None, device=None, requires_grad=False",
        data,
        "A tensor of the given elements.",
        "torch.tensor([1, 2])",
    ),
    *op("torch.from_numpy", "data", data, "The same memory as an array of NumPy.", aliases=_VIEW),
    *op(
        "torch.zeros",
        _MAKE,
        created(),
        "Filled with 0.",
        "torch.zeros(2, 3)",
    ),
    *op(
        "torch.ones",
        _MAKE,
        created(),
        "Filled with 1.",
        "torch.ones(2, 3)",
    ),
    *op(
        "torch.empty",
        _MAKE,
        created(),
        "Not filled.",
        "torch.empty(2, 3)",
        effects="uninitialised",
    ),
    *op(
        "torch.full",
        "size, fill_value, *, out=None, dtype=None, device=None, requires_grad=False",
        created(element=None),
        "Filled with one value.",
        "torch.full((2, 3), 7)",
    ),
    *op("torch.rand", _MAKE, created(), "Uniform in [0, 1).", "torch.rand(2, 3)", **_RANDOM),
    *op("torch.randn", _MAKE, created(), "Normal.", "torch.randn(2, 3)", **_RANDOM),
    *op("torch.zeros_like", _LIKE, like, "0 in the shape of another.", f"torch.zeros_like({_X})"),
    *op("torch.ones_like", _LIKE, like, "1 in the shape of another.", f"torch.ones_like({_X})"),
    *op(
        "torch.empty_like",
        _LIKE,
        like,
        "Not filled, in the shape of another.",
        f"torch.empty_like({_X})",
        effects="uninitialised",
    ),
    *op(
        "torch.rand_like",
        _LIKE,
        like,
        "Uniform, in the shape of another.",
        f"torch.rand_like({_X})",
        **_RANDOM,
    ),
    *op(
        "torch.randn_like",
        _LIKE,
        like,
        "Normal, in the shape of another.",
        f"torch.randn_like({_X})",
        **_RANDOM,
    ),
    *op(
        "torch.arange",
        "start, end=None, step=1, *, dtype=None, device=None",
        arange,
        "Numbers from start up to end.",
        "torch.arange(3)",
    ),
    *op(
        "torch.eye",
        "n, m=None, *, dtype=None, device=None",
        eye,
        "1 on the diagonal.",
        "torch.eye(3)",
    ),
    *op(
        "torch.manual_seed",
        "seed",
        None,
        "Sets the state of the generator.",
        "torch.manual_seed(0)",
        **_RANDOM,
    ),
    # writing
    *op(
        "torch.Tensor.copy_",
        "input, src, non_blocking=False",
        nothing,
        "Writes all of another tensor.",
        outputs=0,
        mutates=(0,),
    ),
    *op(
        "torch.Tensor.fill_",
        "input, value",
        nothing,
        "Writes one value everywhere.",
        outputs=0,
        mutates=(0,),
    ),
    *op("torch.Tensor.zero_", "input", nothing, "Writes 0 everywhere.", outputs=0, mutates=(0,)),
    *op(
        "torch.Tensor.normal_",
        "input, mean=0.0, std=1.0",
        nothing,
        "Writes normal numbers.",
        outputs=0,
        mutates=(0,),
        **_RANDOM,
    ),
    *op(
        "torch.Tensor.uniform_",
        "input, a=0.0, b=1.0",
        nothing,
        "Writes uniform numbers.",
        outputs=0,
        mutates=(0,),
        **_RANDOM,
    ),
    *op(
        "torch.Tensor.index_add_",
        "input, dim, index, source",
        nothing,
        "Adds at indices.",
        outputs=0,
        mutates=(0,),
    ),
    *op(
        "torch.Tensor.scatter_",
        "input, dim, index, src",
        nothing,
        "Writes at indices.",
        outputs=0,
        mutates=(0,),
    ),
    *op(
        "torch.Tensor.backward",
        "input, gradient=None, retain_graph=None",
        nothing,
        "Computes gradients.",
        outputs=0,
        effects="gradients",
    ),
]
