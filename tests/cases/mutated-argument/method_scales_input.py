# expect: 9 mutated-argument related 13
# why: the model centres what it is given, so the tallest is 0.14 m instead of 1.91 m
# check: tallest < 1.0
import numpy as np

class Scaler:
    def transform(self, x):
        self.mean = x.mean()
        x -= self.mean
        return x

heights = np.array([1.60, 1.75, 1.82, 1.91])
scores = Scaler().transform(heights)
tallest = heights.max()
