# expect: nothing
# why: the steps are longer than rows, and meet nothing twice
import numpy as np
from numpy.lib.stride_tricks import as_strided

square = np.zeros((4, 4))
diagonal = as_strided(square, (4,), (40,))
diagonal += np.arange(4.0)
print(square.trace())
