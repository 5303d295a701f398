# expect: 6 ambiguous-truth
# why: 'and' asks the first mask for its truth; & combines elementwise
# raises: ValueError
import numpy as np
age = np.array([15, 34, 70])
working = (age >= 18) and (age < 65)
