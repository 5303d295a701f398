# expect: nothing
# why: the class defines its own truth, the array inside is never asked
import numpy as np

class Batch:
    def __init__(self, rows):
        self.rows = rows

    def __bool__(self):
        return len(self.rows) > 0

batch = Batch(np.ones((3, 2)))
while batch:
    batch = Batch(batch.rows[1:])
