# expect: nothing
# why: the repetition is what is asserted
import numpy as np

x = np.arange(4)
np.testing.assert_array_equal(np.resize(x, 6), [0, 1, 2, 3, 0, 1])
