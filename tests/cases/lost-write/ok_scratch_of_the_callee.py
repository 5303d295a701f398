# expect: nothing
# why: a function scales what it is given and returns it: the copy comes back
import numpy as np

def halved(v):
    v /= 2.0
    return v

x = np.arange(6.0)
small = halved(x[x > 2.0])
total = small.sum()
