# expect: 6 first-nan
# why: a series that never moves has deviation 0: its correlation is 0 / 0
# check: np.isnan(strongest)
import numpy as np
series = np.array([[1.0, 2.0, 3.0], [5.0, 5.0, 5.0]])
correlation = np.corrcoef(series)
strongest = correlation[0, 1]
