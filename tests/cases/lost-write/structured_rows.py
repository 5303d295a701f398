# expect: 6 lost-write
# why: people[mask] is a copy; people["pay"][mask] = 0 would write
# check: people["pay"][1] == 30.0
import numpy as np
people = np.array([(25, 10.0), (70, 30.0)], dtype=[("age", "i4"), ("pay", "f8")])
people[people["age"] > 65]["pay"] = 0.0
