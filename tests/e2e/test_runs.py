"""When programs are run, stopped and run again, and what is shown of them meanwhile."""

import sys
import time

import pytest
from processes import children_of, wait_for_run, wait_until_gone
from raw_client import RawClient

FOREVER = "import time\nwhile True:\n    time.sleep(0.01)\n"
BROKEN = "1 / 0\n"
FINE = "1 / 1\n"
HERE = {"jit-lsp": {"interpreter": sys.executable}}
PUBLISH = "textDocument/publishDiagnostics"


@pytest.fixture
def document_in(tmp_path):
    """Opens a new file with a text in a client; returns its URI."""

    def opened(client, text, name="a.py"):
        path = tmp_path / name
        path.write_text(text, newline="")
        return client.open(path)

    return opened


@pytest.fixture
def document(ready, document_in):
    """The same in the client that is ready."""
    return lambda text, name="a.py": document_in(ready, text, name)


def test_a_newer_save_stops_the_run_of_the_older_text(ready, document):
    uri = document(FOREVER)
    ready.save(uri)
    older = wait_for_run(ready.process.pid)
    ready.change(uri, 2, BROKEN)
    ready.save(uri)
    (finding,) = ready.diagnostics(uri)
    assert "ZeroDivisionError" in finding["message"]
    wait_until_gone(older)
    assert len(_published(ready, uri)) == 1


def test_of_a_storm_of_saves_the_last_is_run_and_few_before_it(raw, document_in):
    raw.initialize({"experimental": {"jit-lsp": {"status": True}}}, initializationOptions=HERE)
    uri = document_in(raw, BROKEN)
    for version in range(2, 102):
        raw.change(uri, version, f"raise ValueError({version})\n")
        raw.save(uri)
    raw.wait_for(
        lambda m: (
            m.get("method") == PUBLISH
            and "ValueError: 101" in m["params"]["diagnostics"][0]["message"]
        )
    )
    shown = [int(d[0]["message"].split()[-1]) for d in _published(raw, uri)]
    assert shown == sorted(shown)
    told = [m for m in raw.heard if m.get("method") == "jit-lsp/status"]
    assert sum(m["params"]["state"] == "waiting" for m in told) == 100
    assert sum(m["params"].get("seconds") == 0 for m in told) < 100


def test_closing_stops_the_run_and_clears_what_is_shown(ready, document):
    uri = document(BROKEN)
    ready.save(uri)
    assert ready.diagnostics(uri)
    ready.change(uri, 2, FOREVER)
    ready.save(uri)
    running = wait_for_run(ready.process.pid)
    heard = len(ready.heard)
    ready.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert ready.diagnostics(uri, heard) == []
    wait_until_gone(running)


def test_text_put_in_above_while_it_runs_moves_the_finding(ready, document):
    uri = document("import time\ntime.sleep(0.5)\n1 / 0\n")
    ready.save(uri)
    wait_for_run(ready.process.pid)
    ready.change(uri, 2, (0, 0, 0, 0, "# 1\n# 2\n"))
    (finding,) = ready.diagnostics(uri)
    assert finding["range"]["start"] == {"line": 4, "character": 0}


def test_a_finding_whose_text_was_changed_while_it_ran_is_not_shown(ready, document):
    uri = document("import time\ntime.sleep(0.5)\n1 / 0\n")
    ready.save(uri)
    wait_for_run(ready.process.pid)
    ready.change(uri, 2, (2, 4, 2, 5, "2"))
    assert ready.diagnostics(uri) == []


def test_line_ends_and_form_feeds_don_t_move_a_finding(ready, document):
    uri = document("x = 1\r\n\f\r\ny = '\u2028'; 1 / 0\r\n")
    ready.change(uri, 2, (0, 0, 0, 0, "# first\r\n"))
    ready.save(uri)
    (finding,) = ready.diagnostics(uri)
    assert finding["range"] == {
        "start": {"line": 3, "character": 9},
        "end": {"line": 3, "character": 14},
    }


@pytest.mark.parametrize(
    ("trace_on", "runs"),
    [
        ("save", {"save", "command"}),
        ("open", {"open", "save", "command"}),
        ("command", {"command"}),
    ],
)
def test_a_program_is_run_when_the_settings_say(ready, document, trace_on, runs):
    settings = {"jit-lsp": {"traceOn": trace_on}}
    ready.notify("workspace/didChangeConfiguration", {"settings": settings})
    fine, broken = document(FINE, "fine.py"), document(BROKEN, "broken.py")
    if "open" in runs:
        assert ready.diagnostics(broken)
    heard = len(ready.heard)
    ready.save(broken)
    if "save" in runs:
        assert ready.diagnostics(broken, heard)
    heard = len(ready.heard)
    assert ready.command("trace", fine)["result"] is None
    assert ready.diagnostics(fine, heard) == []  # had the other been run too, it would be first
    assert bool(_published(ready, broken)) == ("save" in runs)


def test_nothing_runs_where_the_settings_say_never(ready, document):
    ready.notify(
        "workspace/didChangeConfiguration", {"settings": {"jit-lsp": {"traceOn": "never"}}}
    )
    uri = document(BROKEN)
    ready.save(uri)
    assert ready.command("trace", uri)["error"]["message"] == "jit-lsp.traceOn is never"
    assert ready.request("jit-lsp/status", {"uri": uri})["result"]["state"] == "never"


UNCONFINED = """
import jit_lsp.trust
jit_lsp.trust.confinable = lambda: False
from jit_lsp.lsp import serve_stdio
serve_stdio()
"""


@pytest.mark.parametrize("answer", ["Run when saved", "Only by command", None])
def test_where_nothing_confines_programs_one_question_decides(document_in, tmp_path, answer):
    """Not the project, which anybody may have written."""
    (tmp_path / "pyproject.toml").write_text('[tool.jit-lsp]\ntrace-on = "save"\n')
    with RawClient(command=[sys.executable, "-c", UNCONFINED]) as client:
        client.initialize(initializationOptions={"jit-lsp": {"interpreter": sys.executable}})
        uri = document_in(client, BROKEN)
        client.save(uri)
        chosen = {"title": answer} if answer else None
        asked = client.answer("window/showMessageRequest", chosen)
        assert [action["title"] for action in asked["actions"]] == [
            "Run when saved",
            "Only by command",
        ]
        if answer == "Run when saved":
            assert client.diagnostics(uri)
        heard = len(client.heard)
        client.save(uri)
        if answer != "Run when saved":
            assert client.request("jit-lsp/status", {"uri": uri})["result"]["state"] == "never"
            client.command("trace", uri)
        assert client.diagnostics(uri, heard)
        methods = [m.get("method") for m in client.heard]
        assert methods.count("window/showMessageRequest") == 1


def test_the_project_says_when_and_with_what_its_programs_run(ready, tmp_path, document):
    project = tmp_path / "pyproject.toml"
    project.write_text('[tool.jit-lsp]\ntrace-on = "open"\nargs = ["x"]\n')
    uri = document("import sys\nassert sys.argv[1:] == ['y']\n")
    assert ready.diagnostics(uri)
    heard = len(ready.heard)
    project.write_text('[tool.jit-lsp]\nignore = ["script-error"]\n')
    changed = {"changes": [{"uri": project.as_uri(), "type": 2}]}
    ready.notify("workspace/didChangeWatchedFiles", changed)
    assert ready.diagnostics(uri, heard) == []


def test_rules_that_the_client_ignores_are_not_shown_and_come_back(ready, document):
    uri = document(BROKEN)
    ready.save(uri)
    assert ready.diagnostics(uri)
    for ignored, count in ((["script-error"], 0), ([], 1)):
        heard = len(ready.heard)
        settings = {"settings": {"jit-lsp": {"ignore": ignored, "interpreter": sys.executable}}}
        ready.notify("workspace/didChangeConfiguration", settings)
        assert len(ready.diagnostics(uri, heard)) == count


def test_each_folder_has_settings_of_its_own(raw, tmp_path):
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir()
    named = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
    raw.initialize({"workspace": {"configuration": True}}, workspaceFolders=named)
    own = [{"args": [folder.name], "interpreter": sys.executable} for folder in folders]
    asked = raw.answer("workspace/configuration", [{}, *own])
    assert [item.get("scopeUri") for item in asked["items"]] == [None, *(f["uri"] for f in named)]
    for folder in folders:
        path = folder / "a.py"
        path.write_text(f"import sys\nassert sys.argv[1:] == [{folder.name!r}]\n")
        uri = raw.open(path)
        raw.save(uri)
        assert raw.diagnostics(uri) == []


def test_the_command_runs_the_text_on_the_screen(ready, document):
    uri = document(FINE)
    ready.change(uri, 2, BROKEN)
    ready.command("trace")
    assert ready.diagnostics(uri)


def test_the_command_stops_a_run(ready, document):
    uri = document(FOREVER)
    ready.save(uri)
    running = wait_for_run(ready.process.pid)
    ready.command("cancel", uri)
    wait_until_gone(running)
    assert _published(ready, uri) == []


def test_what_an_older_run_found_is_faded_while_a_newer_one_goes_on(raw, document_in):
    capabilities = {"textDocument": {"publishDiagnostics": {"tagSupport": {"valueSet": [1, 2]}}}}
    raw.initialize(capabilities, initializationOptions=HERE)
    found = "import numpy as np\nx = np.log(np.zeros(2) - 1)\n"
    uri = document_in(raw, found)
    raw.save(uri)

    def shown(tags):
        def wanted(message):
            params = message.get("params", {})
            return message.get("method") == PUBLISH and [
                (d["code"], d.get("tags")) for d in params["diagnostics"]
            ] == [("first-nan", tags)]

        return wanted

    raw.wait_for(shown(None))
    raw.change(uri, 2, found + FOREVER)
    heard = len(raw.heard)
    raw.save(uri)
    raw.wait_for(shown([1]), heard)
    heard = len(raw.heard)
    raw.command("cancel", uri)
    raw.wait_for(shown(None), heard)


def test_a_setting_that_can_not_be_used_is_named_and_the_rest_is_used(ready, document, tmp_path):
    settings = {"jit-lsp": {"timeout": -3, "args": ["x"]}}
    ready.notify("workspace/didChangeConfiguration", {"settings": settings})
    message = ready.wait_for(lambda m: m.get("method") == "window/showMessage")
    assert message["params"]["message"].startswith("jit-lsp.timeout: -3 ")
    uri = document("import sys\nassert sys.argv[1:] == ['x']\n")
    ready.save(uri)
    assert ready.diagnostics(uri) == []


def test_settings_are_asked_for_where_the_client_has_them(raw, tmp_path):
    raw.initialize(
        {
            "workspace": {
                "configuration": True,
                "didChangeConfiguration": {"dynamicRegistration": True},
            }
        },
        initializationOptions={"jit-lsp": {"interpreter": sys.executable, "traceOn": "never"}},
    )
    registered = raw.answer("client/registerCapability", None)["registrations"]
    assert [r["method"] for r in registered] == ["workspace/didChangeConfiguration"]
    asked = raw.answer("workspace/configuration", [{"traceOn": "open"}])
    assert asked["items"] == [{"section": "jit-lsp"}]
    path = tmp_path / "a.py"
    path.write_text(BROKEN)
    assert raw.diagnostics(raw.open(path))


def test_a_client_without_settings_may_say_so(raw, tmp_path):
    raw.initialize({"workspace": {"configuration": True}})
    raw.answer("workspace/configuration", [None])
    path = tmp_path / "a.py"
    path.write_text(BROKEN)
    uri = raw.open(path)
    raw.save(uri)
    assert raw.diagnostics(uri)


def test_progress_is_shown_and_can_be_used_to_stop_the_run(raw, tmp_path):
    options = {"jit-lsp": {"interpreter": sys.executable, "timeout": 600}}
    raw.initialize({"window": {"workDoneProgress": True}}, initializationOptions=options)
    path = tmp_path / "loop.py"
    path.write_text(FOREVER)
    raw.save(raw.open(path))
    running = wait_for_run(raw.process.pid)
    token = raw.answer("window/workDoneProgress/create", None)["token"]

    def progress(kind):
        return raw.wait_for(
            lambda m: m.get("method") == "$/progress" and m["params"]["value"]["kind"] == kind
        )["params"]["value"]

    assert progress("begin")["title"] == "running loop.py"
    assert progress("report")["message"].endswith(" s")
    raw.notify("window/workDoneProgress/cancel", {"token": token})
    progress("end")
    wait_until_gone(running)


def test_a_client_that_refuses_progress_gets_none(raw, tmp_path):
    raw.initialize({"window": {"workDoneProgress": True}})
    path = tmp_path / "a.py"
    path.write_text(BROKEN)
    uri = raw.open(path)
    raw.save(uri)
    create = "window/workDoneProgress/create"
    request = raw.wait_for(lambda m: m.get("method") == create)
    error = {"code": -32600, "message": "no"}
    raw.send({"jsonrpc": "2.0", "id": request["id"], "error": error})
    assert raw.diagnostics(uri)
    assert not [m for m in raw.heard if m.get("method") == "$/progress"]
    assert raw.log.read_text() == ""


@pytest.mark.parametrize("with_folder", [True, False])
def test_a_program_runs_in_its_workspace_folder_or_else_in_its_own(raw, tmp_path, with_folder):
    folder = tmp_path / "my project"
    (folder / "src").mkdir(parents=True)
    options = {"jit-lsp": {"interpreter": sys.executable}}
    folders = [{"uri": folder.as_uri(), "name": "p"}] if with_folder else None
    raw.initialize(workspaceFolders=folders, initializationOptions=options)
    path = folder / "src" / "a.py"
    expected = folder if with_folder else folder / "src"
    path.write_text(f"import os\nassert os.getcwd() == {str(expected.resolve())!r}\n")
    uri = raw.open(path)
    raw.save(uri)
    assert raw.diagnostics(uri) == []


def test_at_rest_nothing_runs_and_no_time_passes(ready, document):
    uri = document(BROKEN)
    ready.save(uri)
    assert ready.diagnostics(uri)
    time.sleep(0.2)  # the last files of the run go meanwhile
    ours = {ready.process.pid, *children_of(ready.process.pid)}
    before = sum(map(_cpu_ticks, ours))
    time.sleep(0.5)
    assert sum(map(_cpu_ticks, ours)) - before <= 1


def _published(client, uri):
    return [
        m["params"]["diagnostics"]
        for m in client.heard
        if m.get("method") == PUBLISH and m["params"]["uri"] == uri
    ]


def _cpu_ticks(pid):
    """User and system time in clock ticks; see proc(5)."""
    with open(f"/proc/{pid}/stat") as stat:  # noqa: PTH123
        fields = stat.read().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])
