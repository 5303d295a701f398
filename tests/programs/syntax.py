"""Most of the grammar, with arrays in every place that can hold an expression."""
import asyncio
import functools
from contextlib import contextmanager, suppress

import numpy as np

x = np.arange(6.0).reshape(2, 3)


def traced(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        print("calling", function.__name__, len(args), sorted(kwargs))
        return function(*args, **kwargs)

    return wrapper


@traced
def combine(a, /, b, *rest, scale=x.sum(), **more):
    """Every kind of parameter."""
    return a + b * scale + sum(rest) + len(more)


print(combine(1, 2, 3, 4, scale=np.float64(2), extra=x))
print(combine(*[x, x], *(x,), **{"scale": 0.5}).tolist())


class Base:
    items = [x[i] * 2 for i in range(2)]
    total = items[0] + items[1]

    def __init__(self, value):
        self.__hidden = value + 1
        self.value = value

    def get(self):
        return self.__hidden

    @property
    def doubled(self):
        return self.value * 2

    @classmethod
    def make(cls, *args):
        return cls(*args)


class Child(Base):
    def get(self):
        return super().get() * 10

    def __matmul__(self, other):
        return ("matmul", type(other).__name__)


child = Child.make(x)
child.value += 1
child.value[0] -= 1
print(child.get().tolist(), child.doubled.tolist(), child @ x, Base.total.tolist())


def generate(n):
    for i in range(n):
        sent = yield x * i
        if sent is not None:
            print("sent", (sent + x).sum())
    return "done"


def delegate():
    result = yield from generate(2)
    print(result)


generator = delegate()
next(generator)
generator.send(x)
print([v.sum() for v in generator])


async def later(value):
    await asyncio.sleep(0)
    return value * 2


async def stream():
    for i in range(3):
        yield x[0] + i


async def main():
    print((await later(x) + await later(x)).sum())
    print([float(v.sum()) async for v in stream()])
    async for v in stream():
        if v[0] > 0:
            break
    else:
        print("not reached")
    print(v)


asyncio.run(main())

if (n := len(x)) > 1 and (m := x[:, 1:]) is not None:
    print(n, m.tolist())

match x.shape:
    case (rows, columns) if rows * columns == x.size:
        print("matched", rows, columns)
    case _:
        print("no match")

match {"a": x, "b": 2}:
    case {"a": np.ndarray() as found, **rest}:
        print(found.ndim, rest)


@contextmanager
def block(value):
    print("enter")
    try:
        yield value + 1
    finally:
        print("exit")


with block(x) as inner, suppress(ZeroDivisionError):
    print(inner.sum())
    1 / 0

try:
    x @ x
except ValueError as error:
    print("caught", type(error).__name__)
else:
    print("not reached")
finally:
    print("finally")

try:
    raise ExceptionGroup("several", [ValueError(1), TypeError(2)])
except* ValueError as group:
    print("group", len(group.exceptions))
except* TypeError:
    print("types")

while x[0, 0] < 3:
    x[0] += 1
    if x[0, 0] == 2:
        continue
else:
    print("while done", x[0, 0])

a, (b, *c) = x[0], [x[1], 1, 2]
a, b = b, a
print(a.tolist(), b.tolist(), c)
(first, second), third = x.T[:2], x.T[2]
x[0, :], x[1, :] = x[1].copy(), x[0].copy()
print(x.tolist(), first, second, third)
table = {"k": x}
del table["k"], first
print(table, lambda_sum(x) if False else (lambda v, w=x: (v * w).sum())(x))
print(f"{x.sum():.3f} {x.shape!r} {(lambda q: q + 1)(2)}", sep="|")
print(sorted([x[1], x[0]], key=lambda r: (r * 2).sum())[0].tolist())
print(0 < x.sum() < 1000, not x.any(), x.any() and x.all(), x[0, 0] if x.any() else None)
print({k: v.sum() for k, v in {"p": x, "q": x * 2}.items()}, {float(v) for v in x[0]})
assert x.size == 6, "never shown"
global_value = 1


def rebind():
    global global_value
    global_value = x * 2
    return global_value


print((global_value + rebind()).sum() if global_value == 1 else None)


def closure():
    total = np.zeros(3)

    def add(row):
        nonlocal total
        total = total + row
        return total

    return add


add = closure()
print(add(x[0]).tolist(), add(x[1]).tolist())
annotated: np.ndarray = x + 1
x **= 2
x //= 3
x @= np.eye(3)
print(annotated.sum(), x.tolist(), -x[0], +x[0], ~(x > 1))
