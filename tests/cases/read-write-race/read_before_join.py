# expect: 16 read-write-race related 10
# why: the sum is taken while the thread adds
import threading

import numpy as np

total = np.zeros(10_000)

def work():
    np.add(total, 1.0, out=total)


thread = threading.Thread(target=work)
thread.start()
early = np.ones(3)
print(total.sum())
thread.join()
print(total.sum(), early)
