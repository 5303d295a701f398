# expect: nothing
# why: A class of the program's own has a sort that returns itself.
import numpy as np

class Table:
    def __init__(self, values):
        self.values = values

    def sort(self):
        self.values = np.sort(self.values)
        return self

table = Table(np.array([3, 1, 2])).sort()
first = table.values[0]
