# expect: nothing
# why: the program has itself told of what is invalid, and counts it
import numpy as np

seen = []
with np.errstate(invalid="call", call=lambda kind, flag: seen.append(kind)):
    gap = np.array([np.inf, 1.0]) - np.array([np.inf, 0.0])
print(seen, gap)
