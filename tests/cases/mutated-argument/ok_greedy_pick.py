# expect: nothing
# why: picking and crossing off in one function; the result is an index
import numpy as np

def take_best(scores):
    best = int(scores.argmax())
    scores[best] = -np.inf
    return best

scores = np.array([0.3, 0.9, 0.5])
order = []
while np.isfinite(scores).any():
    best = take_best(scores)
    order.append(best)
