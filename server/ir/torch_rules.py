"""Type rules of PyTorch. Its ops give tensors, on the device of what they are given."""

from __future__ import annotations

from collections.abc import Callable

from .elements import COMPLEX, FLOATS, INTS, WEAK
from .opinfo import Arguments, OpError, TypeRule, Unknown, array_of
from .shapes import Sizes, axes_of, axis_of, broadcast, matmul, reduced, reshaped, total
from .types import ArrayType, TupleType, Type
from .values import Value, values_of

# element types: PyTorch promotes by category, tensors with dimensions before those without


def promoted(arrays: list[ArrayType]) -> str:
    """The element type of an op on these tensors and Python scalars."""
    groups: list[list[str]] = [[], [], []]
    for each in arrays:
        weak = each.element in WEAK
        groups[2 if weak else 1 if each.ndim == 0 else 0].append(each.element)
    result: str | None = None
    for group in groups:
        best = _joined(group)
        if best is not None and (result is None or _category(best) > _category(result)):
            result = best
    if result is None:
        raise Unknown("element types")
    return _DEFAULT.get(result, result)


def _joined(elements: list[str]) -> str | None:
    if not elements:
        return None
    result = elements[0]
    for element in elements[1:]:
        result = _promote(result, element)
    return result


def _promote(a: str, b: str) -> str:
    if a == b:
        return a
    low, high = sorted((a, b), key=lambda element: (_category(element), _bits(element)))
    if _category(low) == _category(high) == 1 and "u8" in (a, b) and "i8" in (a, b):
        return "i16"
    if {a, b} == {"f16", "bf16"}:
        return "f32"
    if _category(high) == 3 and _category(low) == 2 and _bits(low) * 2 > _bits(high):
        return "c128"
    return high


def _category(element: str) -> int:
    if element == "bool":
        return 0
    if element in INTS or element == "int":
        return 1
    if element in (*FLOATS, "bf16", "float"):
        return 2
    if element in COMPLEX or element == "complex":
        return 3
    raise Unknown("element types")


def _bits(element: str) -> int:
    return int("".join(filter(str.isdigit, element)) or 0)


_DEFAULT = {"int": "i64", "float": "f32", "complex": "c64"}


def truth(element: str) -> str:
    """The element type of ``all`` and ``any``, which keep ``u8``."""
    return "u8" if element == "u8" else "bool"


def squared(element: str) -> str:
    """The element type of squares: that of bools is ``i64``."""
    return "i64" if element == "bool" else element


def inexact(element: str) -> str:
    """The element type of functions of real numbers."""
    return "f32" if _category(element) < 2 else element


def tensor(args: Arguments, element: str, sizes: Sizes) -> tuple[Type, ...]:
    """One tensor."""
    return (_made(args, element, sizes),)


def _made(args: Arguments, element: str, sizes: Sizes) -> ArrayType:
    """A tensor on the device of the first argument that is one."""
    types = (value.type for name in args for value in values_of(args[name]))
    device = next((t.device for t in types if isinstance(t, ArrayType)), None)
    return ArrayType(element, sizes, device=device, kind="tensor")


def elementwise(*names: str, result: str | Callable[[str], str] | None = None) -> TypeRule:
    """Ops of elements: the named arguments broadcast."""

    def rule(args: Arguments) -> tuple[Type, ...]:
        arrays = [args.array(name) for name in names if args.given(name)]
        element = promoted(arrays)
        wanted = result(element) if callable(result) else result or element
        return tensor(args, wanted, broadcast(*(each.sizes for each in arrays)))

    return rule


def same_sizes(result: str | Callable[[str], str] | None = None) -> TypeRule:
    """A tensor of the sizes of the input."""
    return elementwise("input", result=result)


def reduction(result: str | Callable[[str], str] | None = None) -> TypeRule:
    """Functions over ``dim`` with ``keepdim``."""

    def rule(args: Arguments) -> tuple[Type, ...]:
        source = args.array("input")
        dim = args.constant("dim", None)
        keep = args.constant("keepdim", False)
        sizes = reduced(source.sizes, None if dim in ((), []) else dim, keep is True)
        element = result(source.element) if callable(result) else result or source.element
        return tensor(args, args.element() or element, sizes)

    return rule


def extreme(args: Arguments) -> tuple[Type, ...]:
    """max and min: of all, of two tensors, or along a dimension with indices."""
    source = args.array("input")
    if not args.given("dim"):
        return tensor(args, source.element, ())
    dim = args.constant("dim")
    if not isinstance(dim, int):
        raise Unknown("two tensors")
    sizes = reduced(source.sizes, dim, args.constant("keepdim", False) is True)
    return (_made(args, source.element, sizes), _made(args, "i64", sizes))


def along(args: Arguments) -> tuple[Type, ...]:
    """Functions along ``dim`` that keep the sizes."""
    source = args.array("input")
    if source.ndim:
        axis_of(args.constant("dim"), source.ndim)
    return tensor(args, args.element() or source.element, source.sizes)


def scan(args: Arguments) -> tuple[Type, ...]:
    """Sums and products up to each element."""
    source = args.array("input")
    if source.ndim:
        axis_of(args.constant("dim"), source.ndim)
    return tensor(args, args.element() or sum_element(source.element), source.sizes)


def sorted_values(args: Arguments) -> tuple[Type, ...]:
    """Values in order, and their indices."""
    source = args.array("input")
    return (_made(args, source.element, source.sizes), _made(args, "i64", source.sizes))


def topk(args: Arguments) -> tuple[Type, ...]:
    """The ``k`` largest along a dimension, and their indices."""
    source, k = args.array("input"), args.constant("k")
    dim = axis_of(args.constant("dim", -1), source.ndim)
    sizes = (*source.sizes[:dim], k, *source.sizes[dim + 1 :])
    return (_made(args, source.element, sizes), _made(args, "i64", sizes))


def shaped(sizes: Callable[[Arguments, Sizes], Sizes]) -> TypeRule:
    """The same elements in sizes made from those before."""

    def rule(args: Arguments) -> tuple[Type, ...]:
        source = args.array("input")
        return tensor(args, source.element, sizes(args, source.sizes))

    return rule


def _wanted(args: Arguments, name: str) -> tuple[int, ...]:
    """Sizes that are given one by one or as one sequence."""
    shape = args.constant(name)
    if isinstance(shape, int):
        return (shape,)
    if len(shape) == 1 and isinstance(shape[0], tuple | list):
        return tuple(shape[0])
    return tuple(shape)


def reshape(args: Arguments, sizes: Sizes) -> Sizes:
    """``reshape`` and ``view``."""
    return reshaped(sizes, _wanted(args, "shape"))


def flatten(args: Arguments, sizes: Sizes) -> Sizes:
    """Dimensions from ``start_dim`` to ``end_dim`` made one."""
    if not sizes:
        return (1,)
    start = axis_of(args.constant("start_dim", _start(args)), len(sizes))
    end = axis_of(args.constant("end_dim", -1), len(sizes))
    if start > end:
        raise OpError("start_dim comes after end_dim")
    return (*sizes[:start], total(sizes[start : end + 1]), *sizes[end + 1 :])


def _start(args: Arguments) -> int:
    return 1 if args.op.symbol.name == "nn.Flatten" else 0


def swap(args: Arguments, sizes: Sizes) -> Sizes:
    """Two dimensions exchanged."""
    first = axis_of(args.constant("dim0"), max(1, len(sizes)))
    second = axis_of(args.constant("dim1"), max(1, len(sizes)))
    order = list(sizes)
    if order:
        order[first], order[second] = order[second], order[first]
    return tuple(order)


def permute(args: Arguments, sizes: Sizes) -> Sizes:
    """Dimensions in another order."""
    dims = axes_of(_wanted(args, "dims"), len(sizes))
    if len(dims) != len(sizes):
        raise OpError(f"{len(dims)} dims for {len(sizes)} dimensions")
    return tuple(sizes[dim] for dim in dims)


def squeeze(args: Arguments, sizes: Sizes) -> Sizes:
    """Without dimensions of size 1."""
    dim = args.constant("dim", None)
    if dim is None and None in sizes:
        raise Unknown("sizes")
    dims = axes_of(dim, len(sizes))
    return tuple(size for i, size in enumerate(sizes) if i not in dims or size != 1)


def unsqueeze(args: Arguments, sizes: Sizes) -> Sizes:
    """With a dimension of size 1 more."""
    dim = axis_of(args.constant("dim"), len(sizes) + 1)
    return (*sizes[:dim], 1, *sizes[dim:])


def expand(args: Arguments, sizes: Sizes) -> Sizes:
    """Dimensions of size 1 repeated."""
    wanted = _wanted(args, "sizes")
    if len(wanted) < len(sizes):
        raise OpError(f"{len(wanted)} sizes for {len(sizes)} dimensions")
    padded = (1,) * (len(wanted) - len(sizes)) + sizes
    result = tuple(old if new == -1 else new for old, new in zip(padded, wanted, strict=True))
    if broadcast(padded, result) != result:
        raise OpError(f"{sizes} can't be expanded to {wanted}")
    return result


def repeat(args: Arguments, sizes: Sizes) -> Sizes:
    """Each dimension repeated."""
    times = _wanted(args, "repeats")
    if len(times) < len(sizes):
        raise OpError(f"{len(times)} repeats for {len(sizes)} dimensions")
    padded = (1,) * (len(times) - len(sizes)) + sizes
    return tuple(None if s is None else s * t for s, t in zip(padded, times, strict=True))


def keep(args: Arguments, sizes: Sizes) -> Sizes:
    """The sizes as they are."""
    return sizes


def transposed(args: Arguments, sizes: Sizes) -> Sizes:
    """At most two dimensions exchanged."""
    if len(sizes) > 2:
        raise OpError("t takes at most two dimensions")
    return sizes[::-1]


def last_two(args: Arguments, sizes: Sizes) -> Sizes:
    """The last two dimensions exchanged."""
    if len(sizes) < 2:
        raise OpError("mT needs two dimensions")
    return (*sizes[:-2], sizes[-1], sizes[-2])


def cat(args: Arguments) -> tuple[Type, ...]:
    """Tensors one after the other."""
    arrays = [array_of(item) for item in args.items_of("tensors")]
    dim = axis_of(args.constant("dim", 0), arrays[0].ndim) if arrays else 0
    if not arrays or any(each.ndim != arrays[0].ndim for each in arrays):
        raise Unknown("tensors")
    sizes = list(arrays[0].sizes)
    for place in range(len(sizes)):
        column = [each.sizes[place] for each in arrays]
        known = [size for size in column if size is not None]
        if place == dim:
            sizes[place] = sum(known) if len(known) == len(column) else None
        elif len(set(known)) > 1:
            raise OpError(f"tensors differ in dimension {place}: {sorted(set(known))}")
    return tensor(args, promoted(arrays), tuple(sizes))


def stack(args: Arguments) -> tuple[Type, ...]:
    """Tensors along a new dimension."""
    arrays = [array_of(item) for item in args.items_of("tensors")]
    if not arrays or len({each.sizes for each in arrays}) > 1:
        raise Unknown("tensors")
    dim = axis_of(args.constant("dim", 0), arrays[0].ndim + 1)
    sizes = arrays[0].sizes
    return tensor(args, promoted(arrays), (*sizes[:dim], len(arrays), *sizes[dim:]))


def pieces(args: Arguments) -> tuple[Type, ...]:
    """chunk and split."""
    source = args.array("input")
    dim = axis_of(args.constant("dim", 0), source.ndim)
    size = source.sizes[dim]
    if size is None:
        raise Unknown("size")
    if "chunks" in args:
        each = -(-size // args.constant("chunks")) or 1
    else:
        each = args.constant("split_size_or_sections")
    if isinstance(each, int):
        lengths = [min(each, size - start) for start in range(0, size, each)] or [0]
    else:
        lengths = list(each)
    before, after = source.sizes[:dim], source.sizes[dim + 1 :]
    return tuple(_made(args, source.element, (*before, n, *after)) for n in lengths)


def unbind(args: Arguments) -> tuple[Type, ...]:
    """Every slice of a dimension."""
    source = args.array("input")
    dim = axis_of(args.constant("dim", 0), source.ndim)
    size = source.sizes[dim]
    if size is None:
        raise Unknown("size")
    rest = source.sizes[:dim] + source.sizes[dim + 1 :]
    return tuple(_made(args, source.element, rest) for _ in range(size))


def index_select(args: Arguments) -> tuple[Type, ...]:
    """Slices at indices."""
    source, index = args.array("input"), args.array("index")
    dim = axis_of(args.constant("dim"), source.ndim)
    sizes = (*source.sizes[:dim], total(index.sizes), *source.sizes[dim + 1 :])
    return tensor(args, source.element, sizes)


def gather(args: Arguments) -> tuple[Type, ...]:
    """Elements at indices."""
    return tensor(args, args.array("input").element, args.array("index").sizes)


def product(left: str, right: str, ndims: tuple[int, int] | None = None) -> TypeRule:
    """Matrix products, of so many dimensions each if ``ndims`` says so."""

    def rule(args: Arguments) -> tuple[Type, ...]:
        a, b = args.array(left), args.array(right)
        if ndims is not None and (a.ndim, b.ndim) != ndims:
            raise OpError(f"{args.op.symbol} takes {ndims[0]} and {ndims[1]} dimensions")
        if a.element != b.element:
            raise OpError(f"{args.op.symbol} of {a.element} and {b.element}")
        return tensor(args, a.element, matmul(a.sizes, b.sizes))

    return rule


def outer(args: Arguments) -> tuple[Type, ...]:
    """Every product of two elements."""
    a, b = args.array("input"), args.array("vec2")
    if a.ndim != 1 or b.ndim != 1:
        raise OpError("outer takes vectors")
    return tensor(args, promoted([a, b]), (a.sizes[0], b.sizes[0]))


def linear(args: Arguments) -> tuple[Type, ...]:
    """A linear map of the last dimension."""
    source = args.array("input")
    if "weight" in args:
        out, inner = args.array("weight").sizes
    else:
        out, inner = args.constant("out_features"), args.constant("in_features")
    return _channels_last(args, source, inner, out)


def _channels_last(
    args: Arguments, source: ArrayType, inner: int | None, out: int | None
) -> tuple[Type, ...]:
    if not source.ndim or (None not in (inner, source.sizes[-1]) and source.sizes[-1] != inner):
        raise OpError(f"the last size of the input is {source.sizes[-1:]}, not {inner}")
    return tensor(args, source.element, (*source.sizes[:-1], out))


def convolution(dims: int) -> TypeRule:
    """Convolutions over the last ``dims`` dimensions."""

    def rule(args: Arguments) -> tuple[Type, ...]:
        source = args.array("input")
        if source.ndim not in (dims + 1, dims + 2):
            raise OpError(f"a convolution over {dims} dimensions takes {dims + 2}")
        if "weight" in args:
            weight = args.array("weight").sizes
            out, kernel = weight[0], weight[2:]
            channels = None if weight[1] is None else weight[1] * args.constant("groups", 1)
        else:
            out, channels = args.constant("out_channels"), args.constant("in_channels")
            kernel = _each(args, "kernel_size", dims)
        given = source.sizes[-dims - 1]
        if None not in (given, channels) and given != channels:
            raise OpError(f"the input has {given} channels, not {channels}")
        spatial = _windows(args, source.sizes[-dims:], kernel, dims)
        return tensor(args, source.element, (*source.sizes[: -dims - 1], out, *spatial))

    return rule


def transposed_convolution(dims: int) -> TypeRule:
    """What convolutions over the last ``dims`` dimensions lead back from."""

    def rule(args: Arguments) -> tuple[Type, ...]:
        source, weight = args.array("input"), args.array("weight").sizes
        if source.ndim not in (dims + 1, dims + 2):
            raise OpError(f"a convolution over {dims} dimensions takes {dims + 2}")
        given = source.sizes[-dims - 1]
        if None not in (given, weight[0]) and given != weight[0]:
            raise OpError(f"the input has {given} channels, not {weight[0]}")
        channels = None if weight[1] is None else weight[1] * args.constant("groups", 1)
        steps, dilations = (_each(args, name, dims, 1) for name in ("stride", "dilation"))
        pads, more = (_each(args, name, dims, 0) for name in ("padding", "output_padding"))
        made: list[int | None] = []
        for known in zip(source.sizes[-dims:], weight[2:], steps, pads, dilations, more,
                         strict=True):  # fmt: skip
            if None in known:
                made.append(None)
                continue
            size, k, step, pad, dilation, extra = (int(n) for n in known if n is not None)
            made.append((size - 1) * step - 2 * pad + dilation * (k - 1) + extra + 1)
        return tensor(args, source.element, (*source.sizes[: -dims - 1], channels, *made))

    return rule


def multihead_attention(args: Arguments) -> tuple[Type, ...]:
    """As the queries; and how much each of them takes of each key, where that is wanted."""
    query = args.array("query")
    if query.ndim != 3 or not args.constant("need_weights", True):
        return tensor(args, query.element, query.sizes)
    first = 0 if args.constant("batch_first", False) else 1
    sizes: Sizes = (query.sizes[first], query.sizes[1 - first], args.array("key").sizes[1 - first])
    if not args.constant("average_attn_weights", True):
        sizes = (sizes[0], args.constant("num_heads"), *sizes[1:])
    return (
        *tensor(args, query.element, query.sizes),
        *tensor(args, query.element, sizes),
    )


def pooling(dims: int) -> TypeRule:
    """Windows over the last ``dims`` dimensions."""

    def rule(args: Arguments) -> tuple[Type, ...]:
        source = args.array("input")
        if source.ndim not in (dims + 1, dims + 2):
            raise OpError(f"pooling over {dims} dimensions takes {dims + 2}")
        if args.constant("ceil_mode", False) or args.constant("return_indices", False):
            raise Unknown("ceil_mode, return_indices")
        kernel = _each(args, "kernel_size", dims)
        spatial = _windows(args, source.sizes[-dims:], kernel, dims, strides=kernel)
        return tensor(args, source.element, (*source.sizes[:-dims], *spatial))

    return rule


def _windows(
    args: Arguments, sizes: Sizes, kernel: Sizes, dims: int, strides: Sizes | None = None
) -> Sizes:
    """How many places a window has in each dimension."""
    padding = args.constant("padding", 0)
    if isinstance(padding, str):
        raise Unknown("padding by name")
    pads, dilations = _each(args, "padding", dims, 0), _each(args, "dilation", dims, 1)
    steps = _each(args, "stride", dims, 1)
    if strides is not None and not args.given("stride"):
        steps = strides
    result: list[int | None] = []
    for size, k, pad, dilation, step in zip(sizes, kernel, pads, dilations, steps, strict=True):
        if size is None or k is None or pad is None or dilation is None or step is None:
            result.append(None)
            continue
        places = (size + 2 * pad - dilation * (k - 1) - 1) // step + 1
        if places < 1:
            raise OpError(f"a window of {k} doesn't fit into {size}")
        result.append(places)
    return tuple(result)


def _each(args: Arguments, name: str, dims: int, default: int | None = None) -> Sizes:
    """An argument that is one number for all dimensions or one for each."""
    given = args.constant(name, default) if default is not None else args.constant(name)
    if given is None:
        given = default
    return (given,) * dims if isinstance(given, int) else tuple(given) * (dims // len(given))


def adaptive(dims: int) -> TypeRule:
    """As many windows as ``output_size`` says."""

    def rule(args: Arguments) -> tuple[Type, ...]:
        source = args.array("input")
        wanted = _each(args, "output_size", dims)
        kept = source.sizes[-dims:]
        spatial = tuple(k if w is None else w for w, k in zip(wanted, kept, strict=True))
        return tensor(args, source.element, (*source.sizes[:-dims], *spatial))

    return rule


def embedding(args: Arguments) -> tuple[Type, ...]:
    """Rows of a table."""
    indices = args.array("input")
    if "weight" in args:
        weight = args.array("weight")
        return tensor(args, weight.element, (*indices.sizes, weight.sizes[1]))
    return tensor(args, "f32", (*indices.sizes, args.constant("embedding_dim")))


def loss(args: Arguments) -> tuple[Type, ...]:
    """A loss, reduced to one number unless told otherwise."""
    source = args.array("input")
    if args.constant("reduction", "mean") != "none":
        return tensor(args, source.element, ())
    if args.op.symbol.name.rsplit(".")[-1] in ("cross_entropy", "nll_loss", "CrossEntropyLoss"):
        raise Unknown("reduction")
    target = args.array("target")
    return tensor(args, source.element, broadcast(source.sizes, target.sizes))


def one_hot(args: Arguments) -> tuple[Type, ...]:
    """One dimension more, for the classes."""
    classes = args.constant("num_classes", -1)
    sizes = args.array("input").sizes
    return tensor(args, "i64", (*sizes, None if classes == -1 else classes))


def attention(args: Arguments) -> tuple[Type, ...]:
    """What attention gives for each query."""
    query, value = args.array("query"), args.array("value")
    return tensor(args, query.element, (*query.sizes[:-1], value.sizes[-1]))


def recurrent(args: Arguments) -> tuple[Type, ...]:
    """LSTM, GRU and RNN: the outputs, and the last states."""
    source, hidden = args.array("input"), args.constant("hidden_size")
    layers = args.constant("num_layers", 1)
    if args.constant("bidirectional", False) or args.given("proj_size"):
        raise Unknown("bidirectional, proj_size")
    out = _made(args, source.element, (*source.sizes[:-1], hidden))
    batch: Sizes = ()
    if source.ndim == 3:
        batch = (source.sizes[0 if args.constant("batch_first", False) else 1],)
    state = _made(args, source.element, (layers, *batch, hidden))
    if args.op.symbol.name == "nn.LSTM":
        return (out, TupleType((state, state)))
    return (out, state)


def created(name: str = "size", element: str | None = "f32") -> TypeRule:
    """A new tensor of given sizes."""

    def rule(args: Arguments) -> tuple[Type, ...]:
        sizes = _wanted(args, name)
        wanted = args.element() or element
        if wanted is None:
            fill = args.array("fill_value").element
            wanted = _DEFAULT.get(fill, fill)
        return (ArrayType(wanted, sizes, kind="tensor"),)

    return rule


def like(args: Arguments) -> tuple[Type, ...]:
    """A tensor in the shape of another."""
    source = args.array("input")
    return tensor(args, args.element() or source.element, source.sizes)


def arange(args: Arguments) -> tuple[Type, ...]:
    """Numbers from start up to end."""
    start, end, step = args.constant("start"), args.constant("end", None), args.constant("step", 1)
    if end is None:
        start, end = 0, start
    whole = all(isinstance(part, int) for part in (start, end, step))
    count = max(0, -int(-(end - start) // step))
    return (ArrayType(args.element() or ("i64" if whole else "f32"), (count,), kind="tensor"),)


def eye(args: Arguments) -> tuple[Type, ...]:
    """A diagonal."""
    n = args.constant("n")
    m = args.constant("m", None)
    return (ArrayType(args.element() or "f32", (n, n if m is None else m), kind="tensor"),)


def data(args: Arguments) -> tuple[Type, ...]:
    """A tensor of given elements."""
    source = args.array("data")
    element = source.element
    weak = {"f64": "f32", "c128": "c64"}  # of Python numbers; arrays of NumPy keep their type
    if not any(isinstance(value, Value) for value in args.values()):
        element = weak.get(_DEFAULT.get(element, element), _DEFAULT.get(element, element))
    return (ArrayType(args.element() or element, source.sizes, kind="tensor"),)


def converted(element: str) -> TypeRule:
    """The same sizes with elements of one type."""
    return lambda args: tensor(args, element, args.array("input").sizes)


def to_type(args: Arguments) -> tuple[Type, ...]:
    """The same sizes with elements of the wanted type."""
    source = args.array("input")
    wanted = args.element()
    if wanted is None:
        raise Unknown("dtype")
    return tensor(args, wanted, source.sizes)


def sum_element(element: str) -> str:
    """The element type of sums: whole numbers become ``i64``."""
    return "i64" if _category(element) < 2 else element


def mean_element(element: str) -> str:
    """The element type of means, which whole numbers have none of."""
    if _category(element) < 2:
        raise OpError(f"mean of {element}: it needs floating point")
    return element
