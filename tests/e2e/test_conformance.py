"""A session that uses everything, each of its messages held against the meta-model."""

import sys

import conformance
import pytest
from lsprotocol import types as lsp

PROGRAM = """\
import numpy as np

def scaled(x, by):
    return x * by

a = scaled(np.ones((2, 3)), 2.0)
n = np.arange(4)
n += 0.5
"""
EVERYTHING = {
    "general": {"positionEncodings": ["utf-8"]},
    "textDocument": {
        "publishDiagnostics": {
            "relatedInformation": True,
            "versionSupport": True,
            "codeDescriptionSupport": True,
            "dataSupport": True,
            "tagSupport": {"valueSet": [1, 2]},
        },
        "hover": {"contentFormat": ["markdown", "plaintext"]},
    },
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
    "workspace": {
        "configuration": True,
        "workspaceFolders": True,
        "workspaceEdit": {"documentChanges": True},
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "inlayHint": {"refreshSupport": True},
        "codeLens": {"refreshSupport": True},
        "textDocumentContent": {},
    },
    "experimental": {"jit-lsp": {"status": True, "pictures": True}},
}
WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}


@pytest.mark.parametrize("pulls", [False, True])
def test_every_message_is_one_of_the_protocol(raw, tmp_path, pulls):
    can = EVERYTHING
    if pulls:
        diagnostics = {"diagnostics": {"refreshSupport": True}}
        can = can | {
            "textDocument": can["textDocument"] | {"diagnostic": {"relatedDocumentSupport": True}},
            "workspace": can["workspace"] | diagnostics,
        }
    folder = {"uri": tmp_path.as_uri(), "name": "p"}
    raw.initialize(can, workspaceFolders=[folder])
    settings = {"interpreter": sys.executable}
    raw.answer("client/registerCapability", None)
    raw.answer("workspace/configuration", [settings, settings])
    path = tmp_path / "a.py"
    path.write_text(PROGRAM)
    uri = raw.open(path)
    raw.save(uri)
    raw.answer("window/workDoneProgress/create", None)
    raw.answer("workspace/codeLens/refresh", None)
    raw.answer("workspace/inlayHint/refresh", None)
    if pulls:
        raw.answer("workspace/diagnostic/refresh", None)
    else:
        assert raw.diagnostics(uri)
    document = {"textDocument": {"uri": uri}}
    at = {"position": {"line": 3, "character": 13}}
    graph = {"textDocument": {"uri": uri.replace("file:", "jit-lsp:") + ".ir"}}
    asked = {
        "textDocument/hover": document | at,
        "textDocument/inlayHint": document | {"range": WHOLE},
        "textDocument/codeLens": document,
        "textDocument/codeAction": document | {"range": WHOLE, "context": {"diagnostics": []}},
        "textDocument/implementation": document | at,
        "workspace/textDocumentContent": graph["textDocument"],
        "jit-lsp/status": {"uri": uri},
    }
    if pulls:
        asked |= {
            "textDocument/diagnostic": document,
            "workspace/diagnostic": {"previousResultIds": []},
        }
    for method, params in asked.items():
        assert raw.request(method, params)["result"], method
    text = raw.request("jit-lsp/content", graph["textDocument"])["result"]["text"]
    opened = graph["textDocument"] | {"languageId": "jit-ir", "version": 1, "text": text}
    raw.notify("textDocument/didOpen", {"textDocument": opened})
    for method in ("documentSymbol", "foldingRange", "semanticTokens/full"):
        assert raw.request(f"textDocument/{method}", graph)["result"], method
    assert raw.request("textDocument/definition", graph | {"position": {"line": 1, "character": 4}})
    raw.command("show", graph["textDocument"]["uri"])
    raw.answer("window/showDocument", {"success": True})
    raw.command("explain", "first-nan")
    raw.change(uri, 2, (0, 0, 0, 0, "# first\n"))
    raw.command("trace", uri)
    raw.answer("workspace/textDocumentContent/refresh", None)
    raw.notify("$/cancelRequest", {"id": 99})
    raw.notify("textDocument/didClose", document)
    raw.request("shutdown")
    raw.notify("exit", None)
    assert raw.process.wait(30) == 0
    conformance.check(raw.sent, raw.heard)
    used = {m["method"] for m in [*raw.sent, *raw.heard] if "method" in m}
    assert {"$/progress", "window/workDoneProgress/create"} <= used


@pytest.mark.parametrize(
    "message",
    [
        {"method": lsp.TEXT_DOCUMENT_HOVER, "id": 1, "params": {"textDocument": {"uri": 3}}},
        {"method": lsp.TEXT_DOCUMENT_DID_SAVE, "params": {"textDocument": {"uri": ""}, "more": 1}},
        {"method": "no/such", "params": {}},
        {"id": 1, "result": {"contents": [], "more": 1}},
    ],
)
def test_that_test_can_fail(message):
    with pytest.raises((AssertionError, KeyError, ExceptionGroup)):
        conformance.check_one({"jsonrpc": "2.0"} | message, {1: lsp.TEXT_DOCUMENT_HOVER})
