# expect: 8 dtype-mismatch related 7
# why: what is read from a file is text
# raises: TypeError
import numpy as np

lines = ["1.5,2", "0.5,4"]
table = np.array([line.split(",") for line in lines])
scaled = table * 2
