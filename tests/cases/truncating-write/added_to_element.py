# expect: 8 truncating-write related 5
# why: Adding 0.4 to an integer element adds nothing.
# check: score[1] == 1
import numpy as np
score = np.full(3, 1)

def reward(player, points):
    score[player] += points

reward(1, 0.4)
