# expect: nothing
# why: The object keeps the array that it was given.
import numpy as np

class Filter:
    def __init__(self, taps):
        self.taps = taps
        taps = self.taps
        taps /= taps.sum()

    def gain(self):
        return self.taps.sum()

gain = Filter(np.array([1.0, 3.0])).gain()
