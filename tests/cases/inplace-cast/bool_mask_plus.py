# expect: 7 inplace-cast
# why: bool += int gives int64, which bool cannot hold
# raises: TypeError
import numpy as np
votes = np.array([1, 5, 2]) > 2
for extra in (np.array([0, 1, 1]), np.array([1, 0, 1])):
    votes += extra
