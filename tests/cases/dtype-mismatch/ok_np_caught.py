# expect: nothing
# why: the program knows
import numpy as np

x = np.arange(4.0)
try:
    x[np.array([0.0, 1.0])]
except IndexError as error:
    print(error)
try:
    x & (x > 1)
except TypeError as error:
    print(error)
