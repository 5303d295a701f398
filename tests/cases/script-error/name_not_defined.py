# expect: 11 script-error
# why: 'total' exists in the function only
# raises: NameError
import numpy as np

def add(x):
    total = x.sum()
    return total

add(np.arange(3))
print(total)
