# expect: 7 object-array related 6
# why: isnan knows numbers only, and the array has a text in it
# raises: TypeError
import numpy as np
fields = [1.5, 2, "n/a"]
column = np.array(fields, dtype=object)
missing = np.isnan(column)
