# expect: nothing
# why: a list of numbers, and a tiled array
import numpy as np
counts = [0] * 3
counts[0] += 1
table = np.array([[0.0] * 3] * 2)
table[0][1] = 1.0
