# expect: nothing
# why: the field is a view, the mask then writes into it
import numpy as np
people = np.array([(25, 10.0), (70, 30.0)], dtype=[("age", "i4"), ("pay", "f8")])
people["pay"][people["age"] > 65] = 0.0
people[1]["age"] = 71
