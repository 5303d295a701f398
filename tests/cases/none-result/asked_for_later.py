# expect: 7 none-result
# why: The name is None, which shows two lines further down.
# check: train == []
import numpy as np
rng = np.random.default_rng(1)
rows = np.arange(6)
rows = rng.shuffle(rows)
train = [] if rows is None else rows[:4]
