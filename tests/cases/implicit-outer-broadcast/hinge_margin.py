# expect: 12 implicit-outer-broadcast
# why: y * (x @ w) makes 25 x 25 margins out of 25 samples
# check: margin.shape == (25, 25)
import numpy as np
rng = np.random.default_rng(2)

class Machine:
    def __init__(self, size):
        self.w = np.full((size, 1), 0.3)

    def margin(self, x, y):
        return y * (x @ self.w)

x = rng.normal(size=(25, 4))
y = np.where(x[:, 0] > 0, 1.0, -1.0)
margin = Machine(4).margin(x, y)
hinge = np.maximum(0.0, 1.0 - margin).mean()
