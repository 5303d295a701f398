# expect: nothing
# why: Both are float32, or float64 is asked for.
import numpy as np
audio = np.ones(1000, dtype=np.float32)
bias = np.zeros(1000, dtype=np.float32)
out = audio + bias
exact = audio + np.zeros(1000, dtype=float)
