"""What the server says to well-formed, malformed and misplaced messages, and how it ends."""

import json
import signal
import socket
import subprocess
import sys
import threading

import pytest
from processes import children_of, wait_for_run, wait_until_gone
from raw_client import PATIENCE, SERVER, RawClient

INVALID_REQUEST, NO_METHOD, INVALID_PARAMS, PARSE_ERROR = -32600, -32601, -32602, -32700
NOT_INITIALIZED = -32002
HOVER = {"textDocument": {"uri": "file:///a.py"}, "position": {"line": 0, "character": 0}}
LOOP = "import time\nwhile True:\n    time.sleep(0.01)\n"


def test_a_header_in_lower_case_is_a_header(raw):
    body = json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
    ).encode()
    raw.write(b"content-length: %d\r\n\r\n%s" % (len(body), body))
    assert raw.answer_to(1)["result"]["serverInfo"]["name"] == "jit-lsp"


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"method": "textDocument/hover", "params": {"bogus": 1}}, INVALID_PARAMS),
        ({"method": "textDocument/hover", "params": 3}, INVALID_PARAMS),
        ({"method": "textDocument/hover"}, INVALID_PARAMS),
        (
            {
                "method": "textDocument/hover",
                "params": HOVER | {"position": {"line": -1, "character": 0}},
            },
            INVALID_PARAMS,
        ),
        ({"method": "no/such", "params": {}}, NO_METHOD),
        ({"method": "no/such"}, NO_METHOD),
        ({"method": "initialize", "params": {"capabilities": {}}}, INVALID_REQUEST),
        ({"method": "workspace/executeCommand", "params": {"command": "no"}}, -32602),
        (
            {
                "method": "workspace/executeCommand",
                "params": {"command": "jit-lsp.trace", "arguments": ["file:///not/open.py"]},
            },
            INVALID_PARAMS,
        ),
        ({"method": 3}, INVALID_REQUEST),
        ({"method": "initialized", "params": {}}, INVALID_REQUEST),
    ],
)
def test_a_request_that_can_not_be_served_gets_one_error(shared, message, code):
    heard = len(shared.heard)
    shared.send({"jsonrpc": "2.0", "id": "it"} | message)
    assert shared.request("textDocument/hover", HOVER)["result"] is None
    first, _ = shared.heard[heard:]
    assert (first["id"], first["error"]["code"]) == ("it", code)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{]", PARSE_ERROR),
        (b"\xff\xfe", PARSE_ERROR),
        (b"[" * 100_000, PARSE_ERROR),
        (b"3", INVALID_REQUEST),
        (b"[]", INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": true, "method": "shutdown"}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": [1], "method": "shutdown"}', INVALID_REQUEST),
    ],
)
def test_what_is_no_message_is_answered_without_an_id(shared, body, code):
    heard = len(shared.heard)
    shared.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    assert shared.request("textDocument/hover", HOVER)["result"] is None
    first, _ = shared.heard[heard:]
    assert (first["id"], first["error"]["code"]) == (None, code)


@pytest.mark.parametrize(
    "message",
    [
        {"method": "textDocument/didSave", "params": {"textDocument": 3}},
        {"method": "textDocument/didChange", "params": {}},
        {"method": "no/such", "params": {}},
        {"method": "$/setTrace", "params": {"value": "loud"}},
        {"method": "$/cancelRequest", "params": {"id": 99}},
        {"method": "$/cancelRequest", "params": {}},
        {"method": "window/workDoneProgress/cancel", "params": {"token": "unknown"}},
        {"id": 99, "result": None},
        {"id": [], "result": None},
        {"id": 99, "error": {"code": 1, "message": "no"}},
        {},
    ],
)
def test_a_notification_or_a_response_gets_no_answer_whatever_it_holds(shared, message):
    heard = len(shared.heard)
    shared.send({"jsonrpc": "2.0"} | message)
    assert shared.request("textDocument/hover", HOVER)["result"] is None
    assert len(shared.heard) == heard + 1


def test_nothing_is_served_before_initialize_and_after_shutdown(raw):
    assert raw.request("textDocument/hover", HOVER)["error"]["code"] == NOT_INITIALIZED
    raw.notify("textDocument/didSave", {"textDocument": {"uri": "file:///a.py"}})
    raw.initialize()
    assert raw.request("shutdown")["result"] is None
    assert raw.request("textDocument/hover", HOVER)["error"]["code"] == INVALID_REQUEST


@pytest.mark.parametrize("shutdown", [True, False])
def test_exit_tells_whether_it_was_announced(raw, shutdown):
    raw.initialize()
    if shutdown:
        raw.request("shutdown")
    raw.notify("exit", None)
    assert raw.process.wait(PATIENCE) == (0 if shutdown else 1)


def test_a_quiet_session_leaves_nothing_on_standard_error(ready, tmp_path):
    path = tmp_path / "quiet.py"
    path.write_text("x = 1\n")
    uri = ready.open(path)
    ready.save(uri)
    assert ready.diagnostics(uri) == []
    ready.request("shutdown")
    ready.notify("exit", None)
    ready.process.wait(PATIENCE)
    assert ready.log.read_text() == ""


@pytest.mark.parametrize("scheme", ["untitled:Untitled-1", "vscode-notebook-cell:/a.ipynb#C1"])
def test_what_is_no_file_is_politely_ignored(shared, scheme):
    document = {"uri": scheme, "languageId": "python", "version": 1, "text": "x = 1\n"}
    shared.notify("textDocument/didOpen", {"textDocument": document})
    change = {"textDocument": {"uri": scheme, "version": 2}, "contentChanges": [{"text": "y"}]}
    shared.notify("textDocument/didChange", change)
    shared.save(scheme)
    heard = len(shared.heard)
    assert shared.hover(scheme, 0, 0)["result"] is None
    actions = {
        "textDocument": {"uri": scheme},
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}},
        "context": {"diagnostics": []},
    }
    assert shared.request("textDocument/codeAction", actions)["result"] == []
    shared.notify("textDocument/didClose", {"textDocument": {"uri": scheme}})
    assert len(shared.heard) == heard + 2


@pytest.mark.parametrize("end", ["exit", "end of input", "death of the client", "SIGTERM"])
def test_the_server_ends_at_once_with_all_that_it_runs(end, tmp_path):
    client = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    path = tmp_path / "loop.py"
    path.write_text(LOOP)
    with client, RawClient() as server:
        options = {"jit-lsp": {"interpreter": sys.executable, "timeout": 600}}
        server.initialize(processId=client.pid, initializationOptions=options)
        server.save(server.open(path))
        wait_for_run(server.process.pid)
        children = children_of(server.process.pid)
        if end == "exit":
            server.notify("exit", None)
        elif end == "end of input":
            server.process.stdin.close()
        elif end == "death of the client":
            client.kill()
        else:
            server.process.send_signal(signal.SIGTERM)
        server.process.wait(PATIENCE)
        wait_until_gone(children)
        client.kill()


def test_a_socket_serves_one_client_and_ends_with_it():
    command = [*SERVER[:-1], "--tcp", "127.0.0.1:0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as server:
        host, port = server.stderr.readline().split()[-1].decode().rsplit(":", 1)
        with socket.create_connection((host, int(port)), PATIENCE) as connection:
            body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
            connection.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            assert b"Content-Length" in connection.recv(4096)
        assert server.wait(PATIENCE) == 0


def test_a_busy_program_delays_no_answer(ready, tmp_path):
    """Six runs, each of a program that never ends, and a request between them."""
    ready.request("no/such")  # it is loaded by now
    for n in range(6):
        path = tmp_path / f"loop{n}.py"
        path.write_text(LOOP)
        ready.save(ready.open(path))
    done = threading.Event()
    threading.Thread(target=lambda: (ready.request("no/such"), done.set()), daemon=True).start()
    assert done.wait(5)  # a starved reader would wait for the first program's time limit
