# expect: 7 ambiguous-truth
# why: 'a != 5' is three values; the loop needs one.
# raises: ValueError
import numpy as np
a = np.arange(3)
i = 0
while a != 5 and i < 3:
    i += 1
