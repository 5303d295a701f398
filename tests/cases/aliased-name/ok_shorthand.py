# expect: nothing
# why: A shorter name for the same array, on purpose.
import numpy as np
observations = np.arange(6.0)
x = observations
x -= x.mean()
x /= x.std()
total = (x ** 2).sum()
