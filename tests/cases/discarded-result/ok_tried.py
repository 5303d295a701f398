# expect: nothing
# why: Only the exception is wanted.
import numpy as np

def fits(values, rows):
    try:
        values.reshape(rows, -1)
    except ValueError:
        return False
    return True

found = [fits(np.arange(6), n) for n in (2, 4)]
