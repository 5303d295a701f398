# expect: nothing
# why: With out= the function gives the buffer back.
import numpy as np
x = np.array([1.0, 4.0, 9.0])
x = np.sqrt(x, out=x)
top = x.max()
