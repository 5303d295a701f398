# expect: 8 aliased-name related 7
# why: The original is asked for after the change.
# check: largest == 1.0
import numpy as np

def report(values):
    original = values
    values /= values.max()
    return original.max()

largest = report(np.array([1.0, 4.0]))
