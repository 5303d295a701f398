"""Programs that can't be run, or end badly: one finding each at its place; the server goes on."""

import sys

import pytest
from raw_client import RawClient

GOOD = "import numpy as np\n\nx = np.ones((64, 784))\n"
ERROR, WARNING, INFORMATION = 1, 2, 3

BAD = {  # the file's bytes, the severity, and the line (from 0) and columns marked
    "syntax error": (b"x = 1\nif x\n    pass\n", ERROR, 1, (4, 4)),
    "NUL byte": (b"x = 1\ny = '\0'\n", ERROR, 1, (0, 7)),
    "no UTF-8": (b"x = 1\ny = 'caf\xe9'\n", ERROR, 1, (0, 10)),
    "raises at line 1": (b"raise ValueError('no')\n", ERROR, 0, (0, 22)),
    "sys.exit(3)": (b"import sys\n\nsys.exit(3)\n", INFORMATION, 2, (0, 11)),
    "os._exit(0)": (b"import os\n\nos._exit(0)\n", INFORMATION, 2, (0, 11)),
    "closed stdout": (b"import sys\nsys.stdout.close()\nprint('x')\n", ERROR, 2, (0, 10)),
    "closed descriptor": (b"import os\nos.close(1)\nprint('x')\n", ERROR, 2, (0, 10)),
    "100 MB": (b"s = 'x' * 999\nfor _ in range(100_000):\n    print(s)\n", INFORMATION, 2, (4, 12)),
    "never ends": (b"x = 1\nwhile True: x += 1\n", WARNING, 1, None),
    "recursion": (b"def f(n):\n    return f(n + 1)\n\nf(0)\n", ERROR, 1, (11, 19)),
    "recursion without limit": (
        b"import sys\nsys.setrecursionlimit(10**9)\ndef f(n):\n    return f(n + 1)\nf(0)\n",
        WARNING,
        3,
        None,
    ),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """One server for all of them, which has traced a good program before."""
    good = tmp_path_factory.mktemp("good") / "good.py"
    good.write_text(GOOD)
    with RawClient() as client:
        options = {"jit-lsp": {"interpreter": sys.executable, "timeout": 2}}
        client.initialize(initializationOptions=options)
        client.good = client.open(good)
        client.save(client.good)
        assert client.diagnostics(client.good) == []
        yield client


@pytest.mark.parametrize("case", BAD.values(), ids=BAD)
def test_one_clear_finding_and_the_server_goes_on(server, tmp_path, case):
    program, severity, line, columns = case
    path = tmp_path / "bad.py"
    path.write_bytes(program)
    uri = server.open(path)
    server.save(uri)
    (finding,) = server.diagnostics(uri)
    assert finding["code"] == ("timeout" if severity == WARNING else "script-error")
    assert finding["severity"] == severity
    start, end = finding["range"]["start"], finding["range"]["end"]
    assert start["line"] == line
    if columns is not None:
        assert end["line"] == line
        assert (start["character"], end["character"]) == columns
    assert server.hover(server.good, 2, 0)["result"] is not None


@pytest.mark.parametrize("text", ["", "\n", "# nothing\n"])
def test_a_file_without_a_program_has_no_finding(server, tmp_path, text):
    path = tmp_path / "empty.py"
    path.write_text(text)
    uri = server.open(path)
    server.save(uri)
    assert server.diagnostics(uri) == []


def test_an_interpreter_that_is_not_there_is_a_finding(raw, tmp_path):
    path = tmp_path / "good.py"
    path.write_text(GOOD)
    raw.initialize(initializationOptions={"jit-lsp": {"interpreter": "/no/such/python"}})
    uri = raw.open(path)
    raw.save(uri)
    (finding,) = raw.diagnostics(uri)
    assert "/no/such/python" in finding["message"]
    assert raw.log.read_text() == ""


def test_a_file_that_was_never_written_is_run_as_the_editor_has_it(ready, tmp_path):
    uri = (tmp_path / "new.py").as_uri()
    document = {"uri": uri, "languageId": "python", "version": 1, "text": "1 / 0\n"}
    ready.notify("textDocument/didOpen", {"textDocument": document})
    ready.request("workspace/executeCommand", {"command": "jit-lsp.trace", "arguments": [uri]})
    (finding,) = ready.diagnostics(uri)
    assert "ZeroDivisionError" in finding["message"]
