# expect: 7 mutated-argument related 11
# why: negatives are set to 0 in the caller's array, then counted there
# check: negatives == 0
import numpy as np

def rectified(x):
    x[x < 0] = 0.0
    return x

signal = np.array([1.0, -2.0, 3.0, -4.0])
positive = rectified(signal)
negatives = (signal < 0).sum()
