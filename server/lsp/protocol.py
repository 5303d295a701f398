"""What pygls makes of messages, except that each request gets exactly one answer."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Generator
from concurrent.futures import Future
from functools import partial
from typing import Any

from cattrs import transform_error
from lsprotocol import types as lsp
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import JsonRPCRequestMessage, LanguageServerProtocol, lsp_method

from ..positions import Encoding
from .cells import Cells
from .handshake import capability, is_id, result

OURS = "jit-lsp/"
"""How the methods begin that LSP doesn't know. Their parameters come as they were sent."""

_log = logging.getLogger(__name__)


class Protocol(LanguageServerProtocol):
    """What pygls makes of messages, except that each request gets exactly one answer.

    pygls by itself leaves requests unanswered whose parameters don't fit, that come before
    ``initialize`` or after ``shutdown``, or whose header is in lower case.
    """

    _promised: dict[str, Any] | None = None
    """The InitializeResult that the client has."""
    _said: object = None
    """The client's capabilities as it sent them."""

    def __init__(self, server: Any, converter: Any) -> None:
        super().__init__(server, converter)
        self.quick: dict[str, Callable[[Any], Any]] = {}
        """What answers requests that come often, by their methods: from the parameters as they were
        sent to the result as it is sent. NotImplemented: pygls is to see to it."""
        self.cells = Cells(lambda: Encoding(self.encoding))
        self._later: dict[Future[Any], str | int] = {}
        """The answers that are to come, and the requests that they are to; ids may be the same."""

    def receive(self, body: bytes) -> None:
        """Handle one message, whatever it is."""
        try:
            data = json.loads(body)
        except (ValueError, RecursionError):
            self._refuse(None, JsonRpcParseError())
            return
        if not isinstance(data, dict):
            self._refuse(None, JsonRpcInvalidRequest())
            return
        try:
            data = self.cells.incoming(data)
        except (KeyError, TypeError, AttributeError, IndexError):
            _log.warning("%s: what is said of a notebook makes no sense", data.get("method"))
            self._refuse_wrong(data)
            return
        self._handle(data)
        self.cells.settle()

    def _handle(self, data: dict[str, Any]) -> None:
        if self._answered(data):
            return
        try:
            message = self._message(data)
        except JsonRpcException as error:
            _log.warning("%s: %s", data.get("method", "a response"), error.message)
            if "id" in data and "method" in data:
                self._refuse(data["id"], error)
            return
        self.handle_message(message)

    def _answered(self, data: dict[str, Any]) -> bool:
        """Answer a request without making objects of it, which would take longer than the answer
        does. Where anything is unusual, the long way says what."""
        method = data.get("method")
        quick = self.quick.get(method) if isinstance(method, str) else None
        usual = data.get("jsonrpc") == self.VERSION and "id" in data and is_id(data["id"])
        if quick is None or not usual or self._workspace is None or self._shutdown:
            return False
        try:
            answer = quick(data.get("params"))
        except Exception:
            return False
        if answer is NotImplemented:
            return False
        self._send_data({"jsonrpc": self.VERSION, "id": data["id"], "result": answer})
        return True

    def receive_answered(self, body: bytes, promised: dict[str, Any]) -> None:
        """Handle an ``initialize`` that was answered with ``promised`` already. If it has what
        doesn't fit, it is taken for an empty one: there is no way back."""
        data, self._promised = json.loads(body), promised
        self._said = capability(data, "params", "capabilities")
        try:
            message = self._message(data)
        except JsonRpcException as error:
            _log.warning("initialize: %s", error.message)
            data["params"] = {"capabilities": {}}
            message = self._message(data)
        writer, self.writer = self.writer, _Nowhere()
        self.handle_message(message)
        self.writer = writer

    def cancel_all(self) -> None:
        """Answer every request whose answer was to come later."""
        for later in list(self._later):
            later.cancel()

    @property
    def is_shut_down(self) -> bool:
        """Whether only ``exit`` is left to come."""
        return self._shutdown

    @lsp_method(lsp.INITIALIZE)
    def lsp_initialize(self, params: lsp.InitializeParams) -> Generator[Any, Any, Any]:
        """As pygls does it, except for the result: that is what ``handshake`` says."""
        yield from super().lsp_initialize(params)
        if self._promised is None:
            self._promised = result(self._converter.unstructure(params))
        return self._converter.structure(self._promised, lsp.InitializeResult)

    @property
    def encoding(self) -> str:
        """The unit of columns that client and server have agreed on."""
        return self._promised["capabilities"]["positionEncoding"] if self._promised else "utf-16"

    def data(self, value: object) -> Any:
        """A value of the protocol as JSON."""
        return self._converter.unstructure(value)

    @property
    def takes_markup(self) -> bool:
        """Whether messages of diagnostics may be Markdown (LSP 3.18, which lsprotocol lacks)."""
        return capability(self._said, "textDocument", "diagnostic", "markupMessageSupport") is True

    @property
    def pulls(self) -> bool:
        """Whether the client was promised that it can ask for diagnostics."""
        return "diagnosticProvider" in (self._promised or {}).get("capabilities", {})

    def _message(self, data: dict[str, Any]) -> Any:
        if data.get("jsonrpc") != self.VERSION:
            raise JsonRpcInvalidRequest("jsonrpc must be 2.0")
        if "method" not in data:
            if "id" not in data or not data.keys() & {"result", "error"}:
                raise JsonRpcInvalidRequest("neither a request nor a response")
            return self._structured(data)
        method = data["method"]
        if not isinstance(method, str) or not is_id(data.get("id", 0)):
            raise JsonRpcInvalidRequest("method must be a string, id a string or a number")
        if method != lsp.EXIT:
            if self._workspace is None and method != lsp.INITIALIZE:
                raise JsonRpcServerNotInitialized()
            if self._shutdown or (self._workspace is not None and method == lsp.INITIALIZE):
                raise JsonRpcInvalidRequest("not in this state")
        known = method in self.fm.builtin_features or method in self.fm.features
        if not known and method != lsp.CANCEL_REQUEST:
            raise JsonRpcMethodNotFound.of(method)
        if method.startswith(OURS):
            if "id" not in data:
                raise JsonRpcInvalidRequest(f"{method} is a request")
            return JsonRPCRequestMessage(data["id"], method, self.VERSION, data.get("params"))
        if "id" in data and lsp.METHOD_TO_TYPES[method][1] is None:
            raise JsonRpcInvalidRequest(f"{method} is a notification")
        return self._structured(data)

    def _structured(self, data: dict[str, Any]) -> Any:
        try:
            if "method" not in data:
                return self.structure_message(data)
            return self._converter.structure(data, lsp.METHOD_TO_TYPES[data["method"]][0])
        except Exception as error:
            reasons = "; ".join(transform_error(error))
            raise JsonRpcInvalidParams(f"{JsonRpcInvalidParams.MESSAGE}: {reasons}") from error

    def _send_handler_result(self, future: Future[Any], *, msg_id: str | int) -> None:
        """As pygls does it; an answer that is to come later is waited for, and what was wrong with
        a request is no fault of ours that would be logged with a traceback."""
        self._later.pop(future, None)
        error = None if future.cancelled() else future.exception()
        later = None if future.cancelled() or error else future.result()
        if isinstance(error, JsonRpcException):
            self._refuse(msg_id, error)
            return
        if not isinstance(later, Future):
            super()._send_handler_result(future, msg_id=msg_id)
            return
        self._later[later] = msg_id
        later.add_done_callback(partial(self._send_handler_result, msg_id=msg_id))

    def _handle_cancel_notification(self, msg_id: str | int) -> None:
        for later in [later for later, request in self._later.items() if request == msg_id]:
            later.cancel()  # which answers it

    def _refuse_wrong(self, data: dict[str, Any]) -> None:
        if "id" in data:
            self._refuse(data["id"], JsonRpcInvalidParams())

    def _send_data(self, data: Any) -> None:
        """As pygls does it; where notebooks are open, about their cells."""
        if not self.cells.any or not data:
            super()._send_data(data)
            return
        for message in self.cells.outgoing(
            json.loads(json.dumps(data, default=self._serialize_message))
        ):
            super()._send_data(message)

    def _refuse(self, message_id: Any, error: JsonRpcException) -> None:
        known = message_id if is_id(message_id) else None
        answer = {"jsonrpc": self.VERSION, "id": known, "error": error.to_response_error()}
        self._send_data(answer)


class _Nowhere:
    """Where an answer goes that was given already."""

    def write(self, data: bytes) -> None:
        pass

    def close(self) -> None:
        pass
