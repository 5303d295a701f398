# expect: nothing
# why: The default is made anew in each call.
import numpy as np

def step(state=None):
    if state is None:
        state = np.zeros(2)
    state += 1
    return state

first = step()
second = step()
