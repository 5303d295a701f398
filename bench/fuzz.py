"""A hundred thousand messages that no client should send, over several servers: each request gets
exactly one answer, nothing hangs, and memory stays within bounds."""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "e2e"))

import fuzzing
from raw_client import RawClient

SERVERS, MESSAGES = 20, 5_000
MOST_MEMORY = 300  # MB


def main() -> None:
    began, peak = time.perf_counter(), 0
    for seed in range(100, 100 + SERVERS):
        with RawClient() as client:
            client.initialize(initializationOptions={"jit-lsp": {"traceOn": "command"}})
            fuzzing.session(client, seed, MESSAGES)
            peak = max(peak, peak_memory(client.process.pid))
    seconds = time.perf_counter() - began
    assert peak < MOST_MEMORY, f"{peak} MB"
    print(f"{SERVERS * MESSAGES:,} messages in {seconds:.0f} s: each request answered once;")
    print(f"at most {peak} MB")


def peak_memory(pid: int) -> int:
    """Of a process, in MB; see proc(5)."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) // 1000


if __name__ == "__main__":
    main()
