# expect: 7 shape-mismatch
# why: np.dot of (5, 2) and (3,): the second basis is right, the third has one number too many
# raises: ValueError
import numpy as np
points = np.arange(10.0).reshape(5, 2)
bases = [np.array([1.0, 0.0]), np.array([0.0, 1.0]), np.array([1.0, 1.0, 0.0])]
shadows = [np.dot(points, basis) for basis in bases]
