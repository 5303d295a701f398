# expect: nothing
# why: the caller is done with its array
import numpy as np

def softmax(z):
    z -= z.max()
    np.exp(z, out=z)
    z /= z.sum()
    return z

logits = np.array([1.0, 2.0, 3.0])
probs = softmax(logits)
entropy = -(probs * np.log(probs)).sum()
