# expect: nothing
# why: (50, 1) with (50, 1), and a column squeezed before it meets (50,)
import numpy as np
x = np.linspace(0.0, 1.0, 50).reshape(-1, 1)
y = 3.0 * x
pred = x @ np.array([[3.0]])
error = ((pred - y) ** 2).mean()
flat = np.abs(pred.ravel() - y[:, 0]).max()
