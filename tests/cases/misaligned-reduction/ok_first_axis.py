# expect: nothing
# why: a reduction over the first axis lines up with the columns that it was made from
import numpy as np
x = np.random.default_rng(0).normal(size=(5, 5))
standard = (x - x.mean(axis=0)) / x.std(axis=0)
