# expect: 7 mutated-default related 6
# why: The default array is made once and changed by each call.
# check: second.tolist() == [2.0, 2.0]
import numpy as np

def step(state=np.zeros(2)):
    state += 1
    return state

first = step()
second = step()
