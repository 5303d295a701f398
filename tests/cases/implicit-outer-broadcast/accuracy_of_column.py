# expect: 10 implicit-outer-broadcast
# why: each of 40 answers is compared with each of 40 labels
# check: accuracy != 1.0
import numpy as np
rng = np.random.default_rng(1)
x = rng.normal(size=(40, 2))
w = np.array([[1.0], [1.0]])
labels = (x.sum(axis=1) > 0).astype(int)
answers = (x @ w > 0).astype(int)
accuracy = (answers == labels).mean()
