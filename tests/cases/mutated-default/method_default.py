# expect: 8 mutated-default related 7
# why: All objects share the default weights.
# check: b.tolist() == [0.0, 0.0]
import numpy as np

class Unit:
    def train(self, rate, weights=np.ones(2)):
        weights -= rate
        return weights

a = Unit().train(0.5)
b = Unit().train(0.5)
