"""Many saves in one server, and what is left of them: processes, descriptors, threads, and memory
beyond what the first took.

``python -m bench.leaks 10000`` takes a quarter of an hour; without a number there are fewer.
"""

from __future__ import annotations

import gc
import resource
import sys
import tempfile
import threading
import time
from pathlib import Path

from jit_lsp.session import Cancel, Request
from jit_lsp.warm import Warm

COUNT, SETTLED = 1_000, 500
TEXTS = (
    "import numpy as np\nx = np.arange(6.0)\nprint(x.sum() + {n})\n",
    "import numpy as np\nx = np.arange(6.0)\ny = x * {n}\nprint(y @ y)\n",
    "def f(a):\n    return a + {n}\nprint(f(1))\n1 / ({n} % 3)\n",
    "import numpy as np\nx = np.ones(3)\nopen('out.txt', 'w').write(str({n}))\nx @ np.ones(4)\n",
)


def main(count: int = COUNT) -> None:
    settled = min(SETTLED, count // 2)
    with tempfile.TemporaryDirectory() as folder:
        warm, path, began = Warm(), Path(folder) / "program.py", time.monotonic()
        before = memory = 0
        for n in range(count):
            if n == settled:
                gc.collect()
                before, memory = counted(), resident()
            text = TEXTS[n // 7 % len(TEXTS)].format(n=n)
            path.write_text(text)
            request = Request(str(path), text, sys.executable, directory=folder)
            warm.trace(request, Cancel())
        gc.collect()
        grown, left = resident() - memory, counted() - before
        print(f"{count} saves in {time.monotonic() - began:.0f} s")
        print(f"descriptors and threads: {left:+d}; memory: {grown / 1024:+.1f} MB")
        below = len(children())
        warm.close()
        print(f"processes: {below} while it was open, {len(children())} after")
    print(f"most memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def counted() -> int:
    return len(list(Path("/proc/self/fd").iterdir())) + threading.active_count()


def resident() -> int:
    """In kB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


def children() -> list[str]:
    return [
        child
        for task in Path("/proc/self/task").iterdir()
        for child in (task / "children").read_text().split()
    ]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
