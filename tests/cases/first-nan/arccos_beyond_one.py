# expect: 6 first-nan
# why: the cosine of two equal unit vectors rounds to 1.0000000000000002
# check: np.isnan(angles[2])
import numpy as np
cosines = np.array([0.5, 1.0, 1.0 + 2.0**-52])
angles = np.degrees(np.arccos(cosines))
