# expect: nothing
# why: what is changed is a temporary: a copy, a sum, a mask's selection
import numpy as np

def centre(x):
    x -= x.mean()
    return x

data = np.array([1.0, 2.0, 4.0, 9.0])
a = centre(data.copy())
b = centre(data + 1.0)
c = centre(data[data > 1.5])
mean = data.mean()
