# expect: nothing
# why: a generic 'is it true?' that is ready for arrays
import numpy as np

def truthy(value):
    try:
        return bool(value)
    except ValueError:
        return bool(value.any())

flags = [truthy(np.array([0, 1])), truthy(""), truthy(3)]
