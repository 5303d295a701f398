# expect: 13 read-write-race related 17
# why: the threads share one object, and its array
import threading

import numpy as np


class Accumulator:
    def __init__(self, n):
        self.total = np.zeros(n)

    def add(self, value):
        self.total += value


sums = Accumulator(5_000)
threads = [threading.Thread(target=sums.add, args=(float(i),)) for i in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sums.total[0])
