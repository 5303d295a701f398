"""Works on arrays at import and when called."""
import inspect
import sys

import numpy as np

ONES = np.ones(3)
ONES += 1
print("importing", __name__, __package__, __file__.rpartition("/")[2], sorted(globals()))


def scaled(a, by=ONES):
    """Scale."""
    print(inspect.currentframe().f_code.co_name, sorted(locals()))
    return a * by


def fails(a):
    return a @ np.ones((a.shape[-1] + 1, 2))


class Holder:
    table = np.arange(4.0) * 2

    def rows(self):
        return [self.table + i for i in range(2)]


print(inspect.getsource(scaled), __spec__.name, __spec__.origin.rpartition("/")[2])
print(sys.modules[__name__].__loader__.__class__.__name__)
