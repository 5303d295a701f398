"""What breaks around the server: processes killed, disks full, workspaces and files far too big."""

import os
import signal
import sys
import time
from contextlib import suppress

import pytest
import raw_client
from processes import children_of, wait_for_run, wait_until_gone
from raw_client import SERVER, RawClient

HERE = {"jit-lsp": {"interpreter": sys.executable}}
LOOP = "import time\nwhile True:\n    time.sleep(0.01)\n"


def test_a_server_that_is_killed_leaves_nothing_running_and_the_next_works(tmp_path):
    path = tmp_path / "loop.py"
    path.write_text(LOOP)
    with RawClient() as client:
        client.initialize(initializationOptions=HERE)
        client.save(client.open(path))
        running = wait_for_run(client.process.pid)
        client.process.kill()
        client.process.wait()
        wait_until_gone(running)
    path.write_text("1 / 0\n")
    with RawClient() as client:
        client.initialize(initializationOptions=HERE)
        uri = client.open(path)
        client.save(uri)
        assert len(client.diagnostics(uri)) == 1


@pytest.mark.parametrize("after", [0.0, 0.05, 0.1, 0.2, 0.4])
def test_a_worker_that_is_killed_is_a_finding_and_no_more(ready, tmp_path, after):
    """At whatever moment: while its interpreter starts, while it is instrumented, while it runs."""
    path = tmp_path / "loop.py"
    path.write_text(LOOP)
    uri = ready.open(path)
    ready.save(uri)
    wait_for_run(ready.process.pid)
    time.sleep(after)
    for child in children_of(ready.process.pid):
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    assert len(ready.diagnostics(uri)) == 1
    heard = len(ready.heard)
    ready.change(uri, 2, "1 / 1\n")
    path.write_text("1 / 1\n")
    ready.save(uri)
    assert ready.diagnostics(uri, heard) == []


def test_a_log_that_can_not_be_written_stops_nothing(tmp_path):
    path = tmp_path / "a.py"
    path.write_text("1 / 0\n")
    with open("/dev/full", "wb") as full, RawClient(full) as client:  # noqa: PTH123
        client.initialize(initializationOptions=HERE)
        for _ in range(3):
            assert "error" in client.request("no/such")  # which is logged
        uri = client.open(path)
        client.save(uri)
        assert len(client.diagnostics(uri)) == 1


def test_a_document_that_can_not_be_written_is_an_error_of_its_request(tmp_path):
    command = ["env", f"TMPDIR={tmp_path / 'nowhere'}", "HOME=/nonexistent", *SERVER]
    with RawClient(command=command) as client:
        client.initialize({"window": {"showDocument": {"support": True}}})
        (tmp_path / "nowhere").write_text("no folder")
        answer = client.command("show", "jit-lsp:///a.py.ir")
        assert "error" in answer or "text" in answer["result"]
        assert "result" in client.request("jit-lsp/status", {"uri": "file:///a.py"})


def test_a_read_only_workspace_is_no_obstacle(ready, tmp_path):
    folder = tmp_path / "read only"
    folder.mkdir()
    path = folder / "a.py"
    path.write_text("1 / 0\n")
    folder.chmod(0o555)
    uri = ready.open(path)
    ready.save(uri)
    assert len(ready.diagnostics(uri)) == 1
    assert [file.name for file in folder.iterdir()] == ["a.py"]


def test_a_workspace_of_many_files_costs_nothing_until_they_are_used(raw, tmp_path):
    for number in range(200):
        folder = tmp_path / f"p{number}"
        folder.mkdir()
        for file in range(100):
            (folder / f"m{file}.py").touch()
    path = tmp_path / "p0" / "main.py"
    path.write_text("1 / 0\n")
    named = [{"uri": tmp_path.as_uri(), "name": "many"}]
    raw.initialize(workspaceFolders=named, initializationOptions=HERE)
    uri = raw.open(path)
    raw.save(uri)
    assert len(raw.diagnostics(uri)) == 1


def test_a_file_of_many_lines_is_run_and_can_be_edited(raw, tmp_path, monkeypatch):
    monkeypatch.setattr(raw_client, "PATIENCE", 120)
    ready, settings = raw, HERE["jit-lsp"] | {"timeout": 100}
    ready.initialize(initializationOptions={"jit-lsp": settings})
    path = tmp_path / "long.py"
    path.write_text("x = 1\n" * 49_999 + "1 / 0\n")
    uri = ready.open(path)
    ready.save(uri)
    (finding,) = ready.diagnostics(uri)
    assert finding["range"]["start"]["line"] == 49_999
    for version in range(2, 52):
        ready.change(uri, version, (0, 0, 0, 0, "# one line more\n"))
    lenses = ready.request("textDocument/codeLens", {"textDocument": {"uri": uri}})["result"]
    assert lenses
    line = {"line": 50_049, "character": 0}
    place = {"start": line, "end": line}
    params = {"textDocument": {"uri": uri}, "range": place, "context": {"diagnostics": []}}
    assert ready.request("textDocument/codeAction", params)["result"]
