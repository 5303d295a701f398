# expect: 8 shape-mismatch
# why: the stacks (8, 5, 3) @ (8, 5, 3) need an inner transpose: axis 2 of q is 3, axis 1 of k is 5
# raises: ValueError
import numpy as np

def attention(q, k):
    return (
        q @ k / np.sqrt(q.shape[-1])
    )

q = np.ones((8, 5, 3))
k = np.ones((8, 5, 3))
score = attention(q, k)
