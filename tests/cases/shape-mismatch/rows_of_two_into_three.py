# expect: 6 shape-mismatch
# why: each row has two numbers
# raises: ValueError
import numpy as np
points = np.zeros((5, 2))
lengths = [abs(x) + abs(y) + abs(z) for x, y, z in points]
