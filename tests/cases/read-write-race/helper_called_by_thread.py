# expect: 9 read-write-race related 17
# why: the update is in a function that the thread's calls
import threading

import numpy as np


def accumulate(into, part):
    into += part


def work(into, seed):
    accumulate(into, np.random.default_rng(seed).random(2_000))


total = np.zeros(2_000)
threads = [threading.Thread(target=work, args=(total, seed)) for seed in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(total.sum())
