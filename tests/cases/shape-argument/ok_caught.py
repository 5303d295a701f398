# expect: nothing
# why: The program accepts both forms.
import numpy as np

def zeros(*sizes):
    try:
        return np.zeros(*sizes)
    except TypeError:
        return np.zeros(sizes)

grid = zeros(3, 4)
