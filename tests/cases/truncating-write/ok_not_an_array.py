# expect: nothing
# why: A dictionary and a list take any number.
import numpy as np
table = {}
row = [1, 2, 3]
table["mean"] = np.array([1, 2]).mean()
row[0] = 0.5
