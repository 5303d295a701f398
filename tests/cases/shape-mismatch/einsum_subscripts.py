# expect: 7 shape-mismatch
# why: 'j' is axis 1 of a, 4, and axis 0 of b, 5
# raises: ValueError
import numpy as np
a = np.ones((3, 4))
b = np.ones((5, 4))
table = np.einsum("ij,jk->ik", a, b).sum(axis=0)
