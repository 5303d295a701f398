# expect: nothing
# why: the user's code tries in place and falls back
import numpy as np

def halve(x):
    try:
        x /= 2
    except TypeError:
        x = x / 2
    return x

both = [halve(np.array([1.0, 2.0])), halve(np.array([1, 2]))]
