# expect: 11 read-write-race related 14
# why: four threads add to one array
import threading

import numpy as np

total = np.zeros(10_000)


def work(seed):
    np.add(total, np.random.default_rng(seed).random(10_000), out=total)


threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(total.mean())
