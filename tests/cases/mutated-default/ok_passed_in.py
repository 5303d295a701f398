# expect: nothing
# why: Both calls bring their own array.
import numpy as np

def step(state=np.zeros(2)):
    state += 1
    return state

mine = step(np.zeros(2))
yours = step(np.ones(2))
