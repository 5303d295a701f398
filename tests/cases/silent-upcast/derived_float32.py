# expect: 8 silent-upcast related 7
# why: The float32 array is computed from one that was asked for.
# check: score.dtype == np.float64
import numpy as np
x = np.array([[1.0, 2.0], [3.0, 4.0]], dtype="float32")
scaled = x * 2
weights = np.ones(2)
score = scaled * weights
