import numpy as np

x = np.ones((2, 3))
by_axis = np.pad(x, {-1: (1, 2)})
named = np.pad(x, pad_width={0: 1})
middle = np.median(x, axis=1, overwrite_input=True)
