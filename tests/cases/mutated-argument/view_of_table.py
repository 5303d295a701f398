# expect: 7 mutated-argument related 11
# why: the column is a view, so the table's own prices are divided
# check: table[:, 1].max() == 1.0
import numpy as np

def normalised(v):
    v /= v.max()
    return v

table = np.array([[1.0, 20.0], [2.0, 50.0], [3.0, 40.0]])
relative = normalised(table[:, 1])
total = (table[:, 0] * table[:, 1]).sum()
