# expect: 6 object-array related 5
# why: None among the numbers makes an array of objects, and None can't be added to
# raises: TypeError
import numpy as np
levels = np.array([1.0, None, 3.0])
shifted = levels + 1
