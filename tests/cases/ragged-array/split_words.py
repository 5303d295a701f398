# expect: 6 ragged-array
# why: Lines of text with different numbers of fields.
# raises: ValueError
import numpy as np
lines = ["1 2 3", "4 5", "6 7 8"]
table = np.array([[float(word) for word in line.split()] for line in lines])
