# expect: nothing
# why: the buffers are filled by way of a list and of an object that holds one
import numpy as np


class Source:  # jit: opaque
    def __init__(self, buffer):
        self.buffer = buffer

    def read(self):
        self.buffer[...] = 1.0


def fill(buffers):  # jit: opaque
    for buffer in buffers:
        buffer[:] = 2.0


block, left, right = np.empty(4), np.empty(3), np.empty(3)
Source(block).read()
fill([left, right])
block += 1.0
left += right
print(block, left)
