# expect: 8 aliased-elements related 6
# why: both keys hold the same array
# check: sums["a"][0] == sums["b"][0] == 5.0
import numpy as np
names = ["a", "b"]
sums = dict.fromkeys(names, np.zeros(2))
for i, name in enumerate("abab"):
    sums[name][i % 2] += 2.5
