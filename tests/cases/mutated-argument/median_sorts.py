# expect: 7 mutated-argument related 11
# why: median() sorts the readings, whose order is that of time
# check: first == 2.0
import numpy as np

def median(v):
    v.sort()
    return v[len(v) // 2]
readings = np.array([5.0, 2.0, 6.0])
middle = median(readings)
first = readings[0]
