# expect: nothing
# why: the buffers were made float on purpose
import numpy as np
pixels = np.array([[1, 2], [3, 4]], dtype=float)
pixels -= pixels.mean()
total = np.zeros_like(np.arange(3), dtype=float)
total += 0.5
t = np.arange(5.0)
t *= 0.1
