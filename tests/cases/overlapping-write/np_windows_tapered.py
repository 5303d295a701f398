# expect: 9 overlapping-write related 8
# why: frames overlap by half
# check: signal[8] != np.sin(np.arange(64.0))[8] * np.hanning(16)[8]
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

signal = np.sin(np.arange(64.0))
frames = sliding_window_view(signal, 16, writeable=True)[::8]
frames *= np.hanning(16)
print(frames.shape)
