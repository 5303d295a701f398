# expect: 7 resize-repeat
# why: Signals are brought to one length, by repetition.
# check: short.tolist() == [0.5, 0.25, 0.5, 0.25, 0.5]
import numpy as np

def to_length(signal, length):
    return np.resize(signal, length)

short = to_length(np.array([0.5, 0.25]), 5)
