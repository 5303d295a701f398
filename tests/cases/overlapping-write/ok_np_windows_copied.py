# expect: nothing
# why: the windows are a copy
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

signal = np.arange(10.0)
windows = sliding_window_view(signal, 3).copy()
windows -= windows.mean(axis=1, keepdims=True)
print(signal, windows.std())
