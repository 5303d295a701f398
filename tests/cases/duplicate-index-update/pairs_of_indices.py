# expect: 8 duplicate-index-update
# why: A pair of row and column occurs twice.
# check: table.sum() == 3
import numpy as np

def confusion(truth, guess, classes):
    table = np.zeros((classes, classes), dtype=int)
    table[truth, guess] += 1
    return table

table = confusion(np.array([0, 1, 1, 0]), np.array([0, 1, 1, 1]), 2)
