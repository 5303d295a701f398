# expect: 8 mutated-default related 6
# why: Counts of the first call are there in the second.
# check: evening.tolist() == [1, 2, 1]
import numpy as np

def histogram(labels, counts=np.zeros(3, dtype=int)):
    for label in labels:
        counts[label] += 1
    return counts.copy()

morning = histogram([0, 1, 1])
evening = histogram([2])
