# expect: 7 mutated-argument related 15
# why: the write is two calls below the owner of the array, who keeps another result and reads the array
# check: headroom == 9.0
import numpy as np

def normalised(v):
    v /= v.max()
    return v

def louder(v, gain):
    unit = normalised(v)
    return gain * unit

signal = np.array([1.0, 4.0, 2.0])
loud = louder(signal, 10.0)
headroom = loud.max() - signal.max()
