# expect: nothing
# why: the caller's name gets a new array before it is read
import numpy as np

def scaled(x):
    x *= 2.0
    return x

values = np.arange(4.0)
double = scaled(values)
values = np.ones(4)
total = values.sum() + double.sum()
