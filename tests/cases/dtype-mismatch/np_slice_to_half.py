# expect: 8 dtype-mismatch
# why: the bound of a slice is a float
# raises: TypeError
import numpy as np

signal = np.sin(np.arange(64.0))
spectrum = np.abs(np.fft.fft(signal))
half = spectrum[: len(signal) / 2]
