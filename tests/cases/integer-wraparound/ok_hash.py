# expect: nothing
# why: A hash is arithmetic modulo 2**n.
import numpy as np

def fnv_hash(data):
    h = np.full(2, 2166136261, dtype=np.uint32)
    for byte in data:
        h = (h ^ byte) * np.uint32(16777619)
    return h

def checksum(data):
    total = np.zeros(1, dtype=np.uint8)
    for byte in data:
        total = total + byte
    return total

h = fnv_hash(np.arange(5, dtype=np.uint32))
c = checksum(np.full((9, 1), 77, dtype=np.uint8))
