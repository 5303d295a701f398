# expect: 7 ambiguous-truth
# why: 'in' on a list compares with == and asks each result for its truth
# raises: ValueError
import numpy as np
visited = [np.array([0, 0]), np.array([0, 1])]
here = np.array([0, 1])
seen = here in visited
