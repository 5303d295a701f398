"""Interpreters that are up and wait for what they are to run: what makes runs sooner where there
are no pods."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections import OrderedDict

from .launch import Request, Worker, start
from .session import Cancel, Progress, Result, trace
from .spawn import Spawned

MOST = 2
"""Interpreters that wait at a time."""


class Spares:
    """One for each interpreter and folder that was used last. May be used from several threads."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[object, Spawned] = OrderedDict()
        self._lock = threading.Lock()
        self._closed = False

    def trace(self, request: Request, cancel: Cancel, progress: Progress | None = None) -> Result:
        """As ``session.trace``, from an interpreter that waited, if one did; the next waits then.

        Raises:
            Cancelled: when ``cancel`` says so.
        """
        try:
            return trace(request, cancel, progress, self._worker(request))
        finally:
            self._provide(request)

    def close(self) -> None:
        """End those that wait."""
        with self._lock:
            self._closed = True
            waiting, self._waiting = self._waiting, OrderedDict()
        for spare in waiting.values():
            spare.discard()

    def _worker(self, request: Request) -> Worker | None:
        with self._lock:
            spare = self._waiting.pop(_key(request), None)
        if spare is None:
            return None
        if spare.process.poll() is not None:
            spare.discard()
            return None
        spare.started = time.monotonic()
        try:
            return start(request, spare)
        except OSError:
            return None

    def _provide(self, request: Request) -> None:
        try:
            spare = Spawned(request.interpreter, request.directory)
        except OSError:
            return
        unwanted = [spare]
        with self._lock:
            if not self._closed:
                key = _key(request)
                unwanted = [self._waiting.pop(key)] if key in self._waiting else []
                self._waiting[key] = spare
                if len(self._waiting) > MOST:
                    unwanted.append(self._waiting.popitem(last=False)[1])
        for one in unwanted:
            one.discard()


def environment() -> bytes:
    """What tells one environment from another."""
    return hashlib.sha256(repr(sorted(os.environ.items())).encode()).digest()


def _key(request: Request) -> object:
    return request.interpreter, request.directory, environment()
