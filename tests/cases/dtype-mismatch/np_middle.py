# expect: 8 dtype-mismatch
# why: len(x) / 2 is 5.0
# raises: IndexError
import numpy as np


def middle(x):
    return x[len(x) / 2]


print(middle(np.arange(10.0)))
