# expect: nothing
# why: the failing product is caught and the other orientation is taken
import numpy as np

def apply(x, w):
    try:
        return x @ w
    except ValueError:
        return x @ w.T

out = apply(np.ones((4, 3)), np.ones((5, 3)))
