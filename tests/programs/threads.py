"""Several threads, and a process of its own."""
import multiprocessing
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np


def work(k):
    a = np.full(4, k)
    for _ in range(50):
        a = a + np.ones(4)
    return float((a * 2).sum())


def child(k, queue):
    queue.put(work(k))


if __name__ == "__main__":
    with ThreadPoolExecutor(4) as pool:
        print(list(pool.map(work, range(20))))
    results = []
    threads = [threading.Thread(target=lambda k=k: results.append(work(k))) for k in range(5)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    print(sorted(results), threading.active_count())
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=child, args=(3, queue))
    process.start()
    print(queue.get(), process.join(), process.exitcode)
    done = subprocess.run([sys.executable, "-c", "print(6 * 7)"], capture_output=True, text=True)
    print(done.stdout, done.returncode)
