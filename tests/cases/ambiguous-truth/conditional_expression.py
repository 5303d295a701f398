# expect: 5 ambiguous-truth
# why: the test of 'a if t else b' is an array
# raises: ValueError
import numpy as np
clip = lambda x, top: top if x > top else x
loud = clip(np.array([0.2, 3.0]), 1.0)
