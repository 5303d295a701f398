# expect: nothing
# why: A function of the program's own fills it, through the name or a global.
import numpy as np

def fill(target):
    target[:] = 3.0

def reset():
    shared[:] = 1.0

mine = np.empty(3)
fill(mine)
shared = np.empty(3)
reset()
total = mine + shared
