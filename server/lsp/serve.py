"""The full protocol over two streams, once the first message is there."""

from __future__ import annotations

import logging
import sys
from typing import BinaryIO

from . import actions, commands, hints, hovers, lifecycle, pull, synchronise, views
from .handshake import Greeting
from .server import SERVER

__all__ = ["PARTS", "serve"]

PARTS = (actions, commands, hints, hovers, lifecycle, pull, synchronise, views)
"""Every module that handles something; they say so when they are loaded."""


def serve(reader: BinaryIO, writer: BinaryIO, greeting: Greeting, *, watch_client: bool) -> None:
    """Handle the first message and what comes after it until the client goes. Does not return."""
    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s"
    )
    SERVER.watch_client = watch_client
    SERVER.serve(reader, writer, greeting)
