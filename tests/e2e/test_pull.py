"""Diagnostics for clients that ask for them, with names for results that they know already."""

import sys

import pytest
from raw_client import RawClient

PULLS = {
    "textDocument": {"diagnostic": {}},
    "workspace": {"diagnostics": {"refreshSupport": True}},
}
HERE = {"jit-lsp": {"interpreter": sys.executable}}
REFRESH = "workspace/diagnostic/refresh"


@pytest.fixture
def client(raw):
    capabilities = raw.initialize(PULLS, initializationOptions=HERE)
    assert capabilities["diagnosticProvider"] == {
        "interFileDependencies": True,
        "workspaceDiagnostics": True,
    }
    return raw


@pytest.fixture
def program(client, tmp_path):
    """A program that fails in a file that it imports, after its run; both URIs."""
    (tmp_path / "helper.py").write_text("def f(x):\n    return 1 / x\n")
    path = tmp_path / "main.py"
    path.write_text("import helper\nhelper.f(0)\n")
    uri = client.open(path)
    client.save(uri)
    client.answer(REFRESH, None)
    return uri, (tmp_path / "helper.py").as_uri()


def test_a_file_is_reported_once_for_each_name(client, program):
    main, helper = program
    assert pull(client, main)["items"] == []
    first = pull(client, helper)
    assert [item["code"] for item in first["items"]] == ["script-error"]
    again = pull(client, helper, first["resultId"])
    assert again == {"kind": "unchanged", "resultId": first["resultId"]}
    assert pull(client, helper, "another") == first
    assert not [m for m in client.heard if m.get("method", "").endswith("publishDiagnostics")]


def test_the_workspace_is_reported_when_there_is_news(client, program):
    main, helper = program
    found = {report["uri"]: report for report in pull_all(client)["items"]}
    assert [item["code"] for item in found[helper]["items"]] == ["script-error"]
    known = [{"uri": uri, "value": report["resultId"]} for uri, report in found.items()]
    waiting = client.ask("workspace/diagnostic", {"previousResultIds": known})
    client.change(main, 2, "import helper\nhelper.f(1)\n")
    client.command("trace")
    news = client.answer_to(waiting)["result"]["items"]
    assert [(report["uri"], report["kind"], report["items"]) for report in news] == [
        (helper, "full", [])
    ]


def test_a_request_that_waits_for_news_can_be_cancelled_and_ends_with_the_server(client):
    first = client.ask("workspace/diagnostic", {"previousResultIds": []})
    client.notify("$/cancelRequest", {"id": first})
    assert client.answer_to(first)["error"]["code"] == -32800
    second = client.ask("workspace/diagnostic", {"previousResultIds": []})
    client.request("shutdown")
    assert client.answer_to(second)["error"]["code"] == -32800
    answers = [m["id"] for m in client.heard if "method" not in m]
    assert len(answers) == len(set(answers))


def test_messages_are_markdown_where_the_client_takes_it(tmp_path):
    path = tmp_path / "main.py"
    path.write_text("import numpy as np\nx = np.ones((3, 4))\ny = x @ x\n")
    pulls = {**PULLS, "textDocument": {"diagnostic": {"markupMessageSupport": True}}}
    with RawClient() as client:  # lsprotocol's model, which others are held to, has no such message
        client.initialize(pulls, initializationOptions=HERE)
        uri = client.open(path)
        client.save(uri)
        client.answer(REFRESH, None)
        (found,) = pull(client, uri)["items"]
    assert found["message"]["kind"] == "markdown"
    assert found["message"]["value"].startswith("**error\\[shape-mismatch\\]**: x @ x: axis 1")
    assert "```" in found["message"]["value"]


def test_what_moves_with_an_edit_is_another_result(client, tmp_path):
    path = tmp_path / "a.py"
    path.write_text("1 / 0\n")
    uri = client.open(path)
    client.save(uri)
    client.answer(REFRESH, None)
    first = pull(client, uri)
    client.change(uri, 2, (0, 0, 0, 0, "# new\n"))
    moved = pull(client, uri, first["resultId"])
    assert moved["items"][0]["range"]["start"]["line"] == 1
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert pull(client, uri, moved["resultId"])["items"] == []


def test_a_client_that_can_not_be_told_to_ask_again_gets_them_pushed(raw, tmp_path):
    capabilities = raw.initialize({"textDocument": {"diagnostic": {}}}, initializationOptions=HERE)
    assert "diagnosticProvider" not in capabilities
    path = tmp_path / "a.py"
    path.write_text("1 / 0\n")
    uri = raw.open(path)
    raw.save(uri)
    assert raw.diagnostics(uri)


def pull(client, uri, known=None):
    params = {"textDocument": {"uri": uri}} | ({"previousResultId": known} if known else {})
    return client.request("textDocument/diagnostic", params)["result"]


def pull_all(client):
    return client.request("workspace/diagnostic", {"previousResultIds": []})["result"]
