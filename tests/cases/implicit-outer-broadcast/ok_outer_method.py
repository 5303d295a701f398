# expect: nothing
# why: ufunc.outer and np.outer say so by name
import numpy as np
x = np.arange(10.0)
gaps = np.subtract.outer(x, x)
products = np.outer(x, x)
later = np.greater.outer(x, x).sum(axis=1)
