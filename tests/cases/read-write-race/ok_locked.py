# expect: nothing
# why: one thread at a time holds the lock
import threading

import numpy as np

total = np.zeros(10_000)
lock = threading.Lock()


def accumulate(part):
    np.add(total, part, out=total)


def work(seed):
    part = np.random.default_rng(seed).random(10_000)
    with lock:
        accumulate(part)


threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(total.mean())
