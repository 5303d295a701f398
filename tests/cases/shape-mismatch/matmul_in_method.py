# expect: 12 shape-mismatch
# why: (20, 4) @ (3, 4): axis 1 of x is 4, axis 0 of the layer's weight is 3; the weight is stored as (out, in)
# raises: ValueError
import numpy as np

class Layer:
    def __init__(self, inputs, outputs):
        self.weight = np.ones((outputs, inputs))
        self.bias = np.zeros(outputs)

    def __call__(self, x):
        return x @ self.weight + self.bias

layer = Layer(4, 3)
out = layer(np.ones((20, 4)))
