# expect: 7 mutated-argument related 11
# why: a new array is returned, but the window was multiplied into the caller's samples first
# check: samples[0] == 0.0
import numpy as np

def spectrum(x):
    x *= np.hanning(len(x))
    return np.abs(np.fft.rfft(x))

samples = np.ones(16) + np.sin(np.arange(16.0))
power = spectrum(samples)
energy = (samples**2).sum()
