# expect: nothing
# why: The floats are whole numbers.
import numpy as np
counts = np.zeros(3, dtype=int)
counts[0] = 4.0
counts[1] = np.floor(2.7)
counts[:] = np.round(np.array([0.2, 1.7, 3.1]))
counts[2] = np.sqrt(2.0) ** 2 + 1e-12
