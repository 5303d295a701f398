# expect: nothing
# why: a test that asks for the exception
import numpy as np
from unittest import TestCase

case = TestCase()
with case.assertRaises(ValueError):
    np.ones((2, 3)) @ np.ones((2, 3))
np.testing.assert_raises(ValueError, np.add, np.ones(2), np.ones(3))
