# expect: nothing
# why: a function that asks by trying; NumPy raises inside, the answer is False
import numpy as np

def compatible(*shapes):
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        return False
    return True

flags = [compatible((3, 1), (4,)), compatible((3,), (4,))]
