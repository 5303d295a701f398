# expect: nothing
# why: the lock is taken and given back by hand
import threading

import numpy as np

total = np.zeros(10_000)
lock = threading.Lock()


def work(seed):
    part = np.random.default_rng(seed).random(10_000)
    lock.acquire()
    try:
        np.add(total, part, out=total)
    finally:
        lock.release()


threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(total.mean())
