# expect: nothing
# why: each thread is waited for before the next begins
import threading

import numpy as np

total = np.zeros(10_000)


def work(seed):
    np.add(total, np.random.default_rng(seed).random(10_000), out=total)


for seed in range(4):
    thread = threading.Thread(target=work, args=(seed,))
    thread.start()
    thread.join()
print(total.mean())
