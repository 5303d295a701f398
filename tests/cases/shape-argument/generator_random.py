# expect: 8 shape-argument
# why: rng.random takes one size, which may be a tuple.
# raises: TypeError
import numpy as np
rng = np.random.default_rng(0)

def points(count, dimensions):
    return rng.random(count, dimensions)

cloud = points(10, 3)
