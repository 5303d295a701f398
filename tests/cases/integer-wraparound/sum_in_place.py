# expect: 9 integer-wraparound
# why: The sum of two loud samples leaves the range of int16.
# check: both.tolist() == [200, -25536, 25536]
import numpy as np

def mix(tracks):
    total = np.zeros(3, dtype=np.int16)
    for track in tracks:
        total += track
    return total

loud = np.array([100, 20000, -20000], dtype=np.int16)
both = mix([loud, loud])
