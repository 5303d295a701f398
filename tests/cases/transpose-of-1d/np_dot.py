# expect: 7 transpose-of-1d
# why: np.dot(r, r.T) is a number; np.outer(r, r) is the matrix
# check: not np.allclose(mirror @ mirror, np.eye(3))
import numpy as np

def reflect(r):
    projector = np.dot(r, r.T)
    return np.eye(3) - 2.0 * projector / (r @ r)

mirror = reflect(np.array([1.0, 2.0, 2.0]))
