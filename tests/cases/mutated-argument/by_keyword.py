# expect: 7 mutated-argument related 11
# why: the keyword makes no difference: decay() works on the caller's start
# check: lost == 0.0
import numpy as np

def decay(rate, values):
    values *= 1.0 - rate
    return values

start = np.array([10.0, 20.0])
end = decay(rate=0.5, values=start)
lost = (start - end).sum()
