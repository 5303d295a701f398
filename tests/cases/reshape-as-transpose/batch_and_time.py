# expect: 7 reshape-as-transpose
# why: Sequences of a batch get mixed with each other.
# check: not np.allclose(first, batch[:, 0])
import numpy as np
rng = np.random.default_rng(0)
batch = rng.normal(size=(4, 7, 2))
steps = np.reshape(batch, (7, 4, 2))
first = steps[0]
