# expect: 7 script-error
# why: the exception comes from inside NumPy; the user's line is the call
# raises: LinAlgError
import numpy as np

def fit(a, b):
    return np.linalg.solve(a, b)

x = fit(np.array([[1.0, 2.0], [2.0, 4.0]]), np.ones(2))
