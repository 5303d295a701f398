# expect: 8 duplicate-index-update
# why: A word that occurs twice gets one gradient.
# check: table[3].tolist() == [-0.1, -0.1]
import numpy as np
words = np.array([3, 1, 3])
grads = np.ones((3, 2))
table = np.zeros((4, 2))
table[words] -= 0.1 * grads
