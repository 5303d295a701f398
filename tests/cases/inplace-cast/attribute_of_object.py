# expect: 11 inplace-cast
# why: the weights were given as a list of ints, so they are int64
# raises: TypeError
import numpy as np

class Model:
    def __init__(self, weights):
        self.weights = np.array(weights)

    def step(self, gradient, rate=0.1):
        self.weights -= rate * gradient

model = Model([1, 0, 2])
model.step(np.array([0.5, 0.5, 0.5]))
