# expect: 12 aliased-name related 11
# why: The object keeps its previous state under a second name.
# check: moved.tolist() == [0.0, 0.0]
import numpy as np

class Walker:
    def __init__(self):
        self.pos = np.zeros(2)

    def move(self, step):
        self.old = self.pos
        self.pos += step
        return self.pos - self.old

moved = Walker().move(np.array([1.0, 2.0]))
