# expect: nothing
# why: The name says that the function remembers.
import numpy as np

def squares(n, _cache=np.full(16, -1)):
    if _cache[n] < 0:
        _cache[n] = n * n
    return int(_cache[n])

values = [squares(3), squares(3), squares(4)]
