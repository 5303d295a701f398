# expect: 7 ambiguous-truth
# why: 'if' needs one bool, x < 0 has four
# raises: ValueError
import numpy as np

def relu(x):
    if x < 0:
        return 0.0
    return x

out = relu(np.array([-1.0, 0.5, 2.0, -3.0]))
