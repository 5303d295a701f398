# expect: nothing
# why: the sums are those of another array
import numpy as np
x = np.random.default_rng(0).normal(size=(4, 4))
prices = np.random.default_rng(1).random((4, 7)).sum(axis=1)
cost = x * prices
