# expect: 8 mutated-argument related 14
# why: the shuffle reorders the caller's rows, which no longer belong to the labels
# check: wrong > 0
import numpy as np
rng = np.random.default_rng(0)

def split(rows):
    rng.shuffle(rows)
    half = len(rows) // 2
    return rows[:half], rows[half:]

data = np.arange(20.0).reshape(10, 2)
labels = data[:, 0].copy()
train, test = split(data)
wrong = (data[:, 0] != labels).sum()
