# expect: nothing
# why: A function of the program's own that gives None for want of anything.
import numpy as np

def find(values, wanted):
    for value in values:
        if value == wanted:
            return value
    return None

found = find(np.arange(3), 7)
