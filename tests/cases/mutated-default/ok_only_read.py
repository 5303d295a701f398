# expect: nothing
# why: The default is read and never changed.
import numpy as np

def smooth(x, kernel=np.array([0.25, 0.5, 0.25])):
    return np.convolve(x, kernel, mode="same")

a = smooth(np.arange(5.0))
b = smooth(np.ones(5))
