# expect: 6 ambiguous-truth
# why: each row is an array of two, so row > 0 has two answers
# raises: ValueError
import numpy as np
rows = np.array([[1.0, -1.0], [2.0, 3.0]])
positive = [row for row in rows if row > 0]
