# expect: 6 discarded-result
# why: reshape gives a view of another shape; x keeps its own.
# check: rows == 6
import numpy as np
x = np.arange(6)
x.reshape(2, 3)
rows = len(x)
