# expect: 11 transpose-of-1d
# why: one sample's delta @ activation.T is a number, added to every weight
# check: np.ptp(layer.weight) == 0.0
import numpy as np

class Layer:
    def __init__(self):
        self.weight = np.zeros((3, 3))

    def learn(self, activation, delta):
        self.weight -= 0.1 * (delta @ activation.T)

layer = Layer()
layer.learn(np.array([1.0, 0.5, -1.0]), np.array([0.2, 0.4, 0.1]))
