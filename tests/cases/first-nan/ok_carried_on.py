# expect: nothing
# why: the NaN was there before: sums, products and means only carry it
import numpy as np
x = np.array([1.0, np.nan, 2.0])
y = 2.0 * x + 1.0
total = y.sum()
product = np.ones((2, 3)) @ x
ordered = np.sort(y)
