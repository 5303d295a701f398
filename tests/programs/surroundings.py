"""What a program can see of itself."""
import inspect
import sys
import traceback
import warnings

import numpy as np

print(sorted(globals()))
print(dir())
print(__name__, __file__.rpartition("/")[2], __doc__, __spec__, __package__)
print([a.rpartition("/")[2] for a in sys.argv], sys.path[0] == __file__.rpartition("/")[0])
print(sorted(name for name in sys.modules if "jit" in name or "tracer" in name))
print("main module", sys.modules["__main__"].__dict__ is globals())


def work(a, b):
    c = a + b * 2
    for i in range(3):
        c = c + (a * i + b)
    print(sorted(locals()), dir(), sorted(vars()))
    return c


print(work(np.ones(2), np.ones(2)))
print(inspect.getsource(work))
print(inspect.signature(work), work.__code__.co_varnames[:2], work.__code__.co_argcount)
print(inspect.getsourcelines(work)[1], work.__qualname__, work.__module__)


def fails(a):
    return (a + 1) @ (
        a[:, 0] * 2
    ) + work(a, np.ones((7, 9)))


try:
    fails(np.ones((3, 3)))
except ValueError:
    text = traceback.format_exc()
    print(text.replace(__file__, "FILE"))

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    np.log(np.zeros(2))
    np.array([1.0, -1.0]) / 0
print([(str(w.message), w.category.__name__, w.lineno) for w in caught])

frame = sys._getframe()
print(frame.f_code.co_name, frame.f_lineno)
