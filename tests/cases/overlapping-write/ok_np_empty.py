# expect: nothing
# why: an array without elements has steps of 0, and repeats nothing
import numpy as np

table = np.zeros((4, 3, 0))
found = table.copy()
found[1:] = table[1:] + 1000
found += table
print(found.strides, found.shape)
