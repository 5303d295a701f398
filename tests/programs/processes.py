"""Processes that a program starts are left alone: forked, spawned, or of another program."""

import multiprocessing
import os
import subprocess
import sys

import numpy as np


def work(n):
    x = np.ones(n) * 2.0
    return float(x.sum())


if __name__ == "__main__":
    y = np.arange(3.0) + 1.0
    for how in ("fork", "spawn"):
        with multiprocessing.get_context(how).Pool(2) as pool:
            print(how, pool.map(work, [1, 2, 3]))
    print(subprocess.check_output([sys.executable, "-c", "print(6 * 7)"], text=True))
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        print(y * 2.0)
        sys.exit(3)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), y / 2.0)
