# expect: 8 write-through-view related 6
# why: best shows the first row, which moves on with the others
# check: best.sum() == 8.0
import numpy as np
population = np.ones((4, 2))
best = population[0]
for step in range(3):
    population += 1.0
score = best.sum()
