# expect: nothing
# why: NumPy keeps source and target of one statement apart
import numpy as np

x = np.arange(10.0)
x[1:] = x[:-1]
x[1:] += x[:-1]
np.add(x[1:], x[:-1], out=x[1:])
print(x)
