# expect: nothing
# why: w @ x.T works for a batch (n, 3) and for one sample (3,)
import numpy as np

def predict(w, x):
    return (w @ x.T).T

w = np.ones((2, 3))
batch = predict(w, np.ones((5, 3)))
single = predict(w, np.ones(3))
