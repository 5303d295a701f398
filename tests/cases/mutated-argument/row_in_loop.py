# expect: 7 mutated-argument related 13
# why: each row is a view of traces, and the function divides it in place before its peak is read
# check: peaks == [1.0, 1.0]
import numpy as np

def normalised(v):
    v /= np.abs(v).max()
    return v

traces = np.array([[1.0, -2.0, 0.5], [3.0, 6.0, -4.0]])
units, peaks = [], []
for trace in traces:
    unit = normalised(trace)
    units.append(unit)
    peaks.append(np.abs(trace).max())
