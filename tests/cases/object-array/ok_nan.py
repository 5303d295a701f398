# expect: nothing
# why: NaN stands for what is missing
import numpy as np
levels = np.array([1.0, np.nan, 3.0])
mean = np.nanmean(levels)
