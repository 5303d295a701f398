# expect: 9 first-nan
# why: in place, the zero vector over its norm 0
# check: np.isnan(rays[1].direction).all()
import numpy as np

class Ray:
    def __init__(self, direction):
        self.direction = np.array(direction)
        self.direction /= np.linalg.norm(self.direction)

rays = [Ray([1.0, 2.0, 2.0]), Ray([0.0, 0.0, 0.0])]
