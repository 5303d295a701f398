# expect: 7 mutated-argument related 11
# why: '-=' works on the caller's table: fit and table share memory, so the true means are gone
# check: abs(table.mean()) < 1e-12
import numpy as np

def centre(x):
    x -= x.mean(axis=0)
    return x

table = np.arange(12.0).reshape(4, 3)
fit = centre(table)
means = table.mean(axis=0)
