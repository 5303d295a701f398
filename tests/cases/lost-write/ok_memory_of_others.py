# expect: nothing
# why: the arrays are temporary, the memory they look at is not
import numpy as np
raw = bytearray(8)
np.frombuffer(raw, dtype=np.uint8)[2] = 7
np.asarray(memoryview(raw))[3] = 9

class Store:
    def __init__(self):
        self.values = np.zeros(3)

    def get(self):
        return self.values

store = Store()
store.get()[1] = 4.0
assert raw[2] == 7 and store.values[1] == 4.0
