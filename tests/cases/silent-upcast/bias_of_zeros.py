# expect: 7 silent-upcast related 6
# why: np.zeros gives float64, so the sum is float64.
# check: out.dtype == np.float64
import numpy as np
audio = np.ones(1000, dtype=np.float32)
bias = np.zeros(1000)
out = audio + bias
