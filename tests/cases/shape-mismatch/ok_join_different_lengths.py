# expect: nothing
# why: concatenate and hstack join pieces of different length along the joined axis; lists add at any length
import numpy as np
head = np.zeros((2, 3))
tail = np.ones((5, 3))
both = np.concatenate([head, tail, np.empty((0, 3))])
line = np.hstack([np.arange(3), np.arange(8)])
names = ["a", "b"] + ["c"]
