# expect: nothing
# why: &, |, ~ and np.logical_and combine masks
import numpy as np
age = np.array([15, 34, 70])
working = (age >= 18) & (age < 65)
others = ~working | (age == 34)
both = np.logical_and(working, others)
