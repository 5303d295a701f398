# expect: nothing
# why: np.einsum gives a diagonal that can be written.
import numpy as np
cov = np.zeros((4, 4))
np.einsum("ii->i", cov)[:] = 1.0
trace = np.trace(cov)
