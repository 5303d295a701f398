# expect: 6 inplace-cast
# why: np.sqrt of ints is float and cannot go back into them
# raises: TypeError
import numpy as np
squares = np.arange(6) ** 2
np.sqrt(squares, out=squares)
