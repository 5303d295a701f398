# expect: nothing
# why: NaN stands for 'not measured' and is written by hand
import numpy as np
rain = np.array([1.0, np.nan, 3.0, float("nan")])
rain[0] = np.nan
filled = np.full(4, np.nan)
filled[2:] = rain[2:]
mean = np.nanmean(rain)
spread = np.nanmax(filled) - np.nanmin(filled)
