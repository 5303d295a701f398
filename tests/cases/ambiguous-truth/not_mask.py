# expect: 6 ambiguous-truth
# why: 'not' makes one bool; ~ inverts elementwise
# raises: ValueError
import numpy as np
missing = np.isnan(np.array([1.0, np.nan, 3.0]))
present = not missing
