# expect: nothing
# why: T is an attribute of the user's class, a temperature
import numpy as np

class Gas:
    def __init__(self, p, v):
        self.p, self.v = p, v

    @property
    def T(self):
        return self.p * self.v / 8.314

gas = Gas(np.array([1e5, 2e5]), 0.02)
heat = gas.v * gas.T
