# expect: nothing
# why: float32 += float64 is allowed: the same kind, less precision
import numpy as np
weights = np.ones(4, dtype=np.float32)
gradient = np.full(4, 0.25)
weights -= 0.1 * gradient
small = np.arange(4, dtype=np.int32)
small += np.arange(4)
