# expect: 8 overlapping-write related 7
# why: every sample is in three windows
import numpy as np
from numpy.lib.stride_tricks import as_strided

signal = np.arange(10.0)
windows = as_strided(signal, (8, 3), (8, 8))
windows -= windows.mean(axis=1, keepdims=True)
