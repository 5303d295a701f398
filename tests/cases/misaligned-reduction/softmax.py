# expect: 8 misaligned-reduction
# why: the maximum of row j is taken from column j; as many classes as samples
# check: abs(p.sum(axis=1)[0] - 1.0) < 1e-9 and abs(e.max() - 1.0) > 1e-9
import numpy as np

def softmax(z):
    return np.exp(
        z - z.max(axis=-1)
    )
e = softmax(np.array([[1.0, 2.0, 3.0], [9.0, 7.0, 8.0], [4.0, 6.0, 5.0]]))
p = e / e.sum(axis=1, keepdims=True)
