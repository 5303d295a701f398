# expect: 6 inplace-cast
# why: the array held in the dict is int64 and the product is float64: it does not fit back.
# raises: TypeError
import numpy as np
totals = {"a": np.arange(3)}
totals["a"] *= 1.5
