# expect: nothing
# why: casting="unsafe" says that rounding down is meant
import numpy as np
levels = np.array([10, 20, 30])
np.multiply(levels, 1.5, out=levels, casting="unsafe")
np.copyto(levels, np.array([1.9, 2.9, 3.9]), casting="unsafe")
