# expect: nothing
# why: All elements become NaN, whatever they were.
import numpy as np
gaps = np.empty(3)
gaps *= np.nan
gaps[0] = 1.0
