# expect: nothing
# why: switched off for the whole script
import numpy as np
np.seterr(invalid="ignore")
roots = np.sqrt(np.array([4.0, -1.0]))
real = roots[~np.isnan(roots)]
