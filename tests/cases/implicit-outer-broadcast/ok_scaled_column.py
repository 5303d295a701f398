# expect: nothing
# why: a kernel matrix in two steps: the column was opened with [:, None], then scaled
import numpy as np

def kernel(x, width):
    column = x[:, None] / width
    return np.exp(-0.5 * (column - x / width) ** 2)

density = kernel(np.linspace(-2.0, 2.0, 30), 0.4).mean(axis=0)
