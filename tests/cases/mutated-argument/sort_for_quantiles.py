# expect: 7 mutated-argument related 11
# why: .sort() orders the caller's series, whose first and last values are read after that
# check: change == 5.0
import numpy as np

def quartiles(x):
    x.sort()
    return x[[len(x) // 4, len(x) // 2, 3 * len(x) // 4]]

series = np.array([4.0, 1.0, 6.0, 2.0, 3.0, 5.0])
marks = quartiles(series)
change = series[-1] - series[0]
