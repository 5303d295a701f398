"""What frames say of their variables, however they were entered, is what the program gave them."""

import sys
import traceback
import types


def seen(value=0):
    frame = sys._getframe(1)
    names = {k: v for k, v in frame.f_locals.items() if not isinstance(v, types.FunctionType)}
    if frame.f_code.co_name != "<module>":
        names.pop(".0", None)
        print(frame.f_code.co_name, names, frame.f_code.co_varnames)
    return value


def function(a, *, b=2):
    total = seen(a) + seen(b) * 2
    print(locals(), dir(), sorted(vars()))

    def inner():
        return seen(a) + seen(total)

    return [seen(i) + seen(inner()) for i in range(2) if seen(i) + 1]


def generator(n):
    for i in range(n):
        received = yield seen(i) + seen(i)
        del received


def failing(x):
    y = x + 1
    return seen(y) / (seen(x) - x)


class Body:
    made = seen(1) + seen(2)
    print([name for name in locals() if not name.startswith("__")])


double = lambda value: seen(value) + seen(value)  # noqa: E731

for turn in range(5):
    print(function(turn), list(generator(2)), double(turn))
print(sum(seen(i) + 1 for i in range(3)), {i: seen(i) * 2 for i in range(3)})
try:
    failing(3)
except ZeroDivisionError as error:
    trace = traceback.TracebackException.from_exception(error, capture_locals=True)
    print(trace.stack[-1].locals, error.__traceback__.tb_next.tb_frame.f_locals)
suspended = generator(3)
print(next(suspended), suspended.gi_frame.f_locals)
print(function.__closure__, double.__closure__, failing.__code__.co_varnames)
# Enough variables that the numbers of some need a second byte.
many = "\n".join(f"    v{i} = {i}" for i in range(300))
exec(f"def large(a):\n{many}\n    return len(locals())")
print(large(1))  # noqa: F821
