# expect: nothing
# why: The draw moves the generator on, which is what it is for.
import numpy as np
np.random.seed(0)
np.random.rand(100)
np.random.default_rng(3).standard_normal(5)
