# expect: nothing
# why: an endless generator of which five are taken
import itertools
import numpy as np

def halves(x):
    while True:
        yield x
        x = x / 2.0

first = list(itertools.islice(halves(np.ones(2)), 5))
for n in itertools.count():
    if n > 100:
        break
