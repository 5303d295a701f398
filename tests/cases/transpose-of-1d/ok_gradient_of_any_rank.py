# expect: nothing
# why: written for a matrix of targets, used with a vector of them as well
import numpy as np

def normal_equations(x, y):
    return np.linalg.solve(x.T @ x, (y.T @ x).T)

x = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 3.0]])
one = normal_equations(x, np.array([1.0, 2.0, 5.0]))
two = normal_equations(x, np.array([[1.0, 0.0], [2.0, 1.0], [5.0, 1.0]]))
