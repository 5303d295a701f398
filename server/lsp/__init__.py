"""The language server. The only package that knows pygls and lsprotocol.

Inside, everything is plain data: documents, runs, results, settings. Here it is converted by hand
to what the Language Server Protocol 3.18 says, and back. ``server`` holds the state of a
connection, the other modules a part of the protocol each.

One thread owns it all. It takes calls from one queue: messages, which a thread of its own reads,
and what running programs have to say, which their threads post. So no request waits for a program,
the reader waits for no request, and nothing here needs a lock.

``initialize`` is answered by ``handshake`` before any of that is loaded, since loading takes longer
than everything else that a client waits for.
"""

from __future__ import annotations

from typing import BinaryIO

from ..transport import accept_one, take_stdio
from .handshake import greet


def serve_stdio() -> None:
    """Serve one client over standard input and output. Ends the process when the client goes."""
    _serve(*take_stdio(), watch_client=True)


def serve_tcp(host: str, port: int) -> None:
    """Serve the first client that connects, which may be on another machine."""
    _serve(*accept_one(host, port), watch_client=False)


def _serve(reader: BinaryIO, writer: BinaryIO, *, watch_client: bool) -> None:
    greeting = greet(reader, writer)
    if greeting is None:
        return
    from .serve import serve  # heavy, and the client has its answer by now

    serve(reader, writer, greeting, watch_client=watch_client)
