# expect: 7 lost-write
# why: '+=' into the first column of a copy
# check: (scores == 1.0).all()
import numpy as np
scores = np.ones((4, 2))
for student in ([0, 2], [1, 3]):
    scores[student][:, 0] += 5.0
