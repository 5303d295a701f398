# expect: nothing
# why: one row has a missing value from the start, which its own mean only carries on
import numpy as np
rows = np.ones((300, 3))
rows[200, 1] = np.nan
means = []
for row in rows:
    level = row * 2.0
    means.append(level.mean())
typical = np.nanmean(means)
