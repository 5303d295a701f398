# expect: nothing
# why: the program says what comes out, and it does
import warnings

import numpy as np

warnings.simplefilter("ignore")
np.testing.assert_equal(np.log(np.array([-1.0])), np.nan)
with np.testing.assert_raises(AssertionError):
    np.testing.assert_equal(np.sqrt(np.array([-1.0])), 1.0)
assert np.isnan(np.array([0.0]) / 0).all()
