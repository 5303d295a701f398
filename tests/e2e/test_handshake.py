"""The first answer: given before anything heavy is loaded, once, and by the same words later."""

import json
import subprocess
import sys

import pytest
from conformance import without_selectors
from lsprotocol import converters
from lsprotocol import types as lsp
from pytest_lsp import client_capabilities

from jit_lsp.lsp import handshake

HOVER = {"textDocument": {"uri": "file:///a.py"}, "position": {"line": 0, "character": 0}}
HEAVY = {"pygls", "lsprotocol", "numpy", "asyncio", "wcwidth", "jit_lsp.doc", "jit_lsp.ir"}


def test_the_first_answer_needs_nothing_heavy():
    script = (
        "import io, sys\n"
        "from jit_lsp.lsp.handshake import greet\nfrom jit_lsp.transport import frame\n"
        'body = b\'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}\'\n'
        "out = io.BytesIO()\nassert greet(io.BytesIO(frame(body)), out).result\n"
        "assert out.getvalue()\nprint(*sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not HEAVY & set(ran.stdout.split())


@pytest.mark.parametrize("profile", ["visual_studio_code", "neovim", "emacs"])
def test_it_is_an_initialize_result_of_the_protocol(profile):
    capabilities = json.loads(
        json.dumps(converters.get_converter().unstructure(client_capabilities(profile)))
    )
    promised = without_selectors(handshake.result({"capabilities": capabilities}))
    result = converters.get_converter().structure(promised, lsp.InitializeResult)
    assert converters.get_converter().unstructure(result, lsp.InitializeResult) == promised


def test_everything_promised_is_served_and_everything_served_is_promised(shared):
    from jit_lsp.lsp import serve

    assert serve.PARTS
    capabilities = handshake.result({"capabilities": PULLS})["capabilities"]
    assert set(serve.SERVER.protocol.fm.commands) == set(
        capabilities["executeCommandProvider"]["commands"]
    )
    for method in serve.SERVER.protocol.fm.features:
        name = PROVIDERS.get(method)
        assert name is None or name in capabilities, method
    served = serve.SERVER.protocol.fm.features
    assert {m for m, name in PROVIDERS.items() if name in capabilities} <= set(served)


PULLS = {
    "textDocument": {"diagnostic": {}},
    "workspace": {"diagnostics": {"refreshSupport": True}},
}
PROVIDERS = {
    "textDocument/hover": "hoverProvider",
    "textDocument/codeAction": "codeActionProvider",
    "textDocument/codeLens": "codeLensProvider",
    "textDocument/inlayHint": "inlayHintProvider",
    "textDocument/documentSymbol": "documentSymbolProvider",
    "textDocument/foldingRange": "foldingRangeProvider",
    "textDocument/definition": "definitionProvider",
    "textDocument/implementation": "implementationProvider",
    "textDocument/semanticTokens/full": "semanticTokensProvider",
    "textDocument/diagnostic": "diagnosticProvider",
}


@pytest.mark.parametrize(
    "wrong",
    [
        {"processId": "seven"},
        {"workspaceFolders": [3]},
        {"capabilities": {"general": {"positionEncodings": 3}}},
        {"capabilities": {"textDocument": []}},
    ],
)
def test_what_does_not_fit_in_it_is_left_out(raw, wrong):
    answer = raw.request("initialize", {"processId": None, "capabilities": {}} | wrong)
    assert answer["result"]["capabilities"]["positionEncoding"] == "utf-16"
    assert raw.request("textDocument/hover", HOVER)["result"] is None
    assert [m["id"] for m in raw.heard if "method" not in m] == [1, 2]


def test_a_first_message_that_is_no_initialize_is_no_obstacle(raw):
    assert raw.request("shutdown")["error"]["code"] == -32002
    assert raw.request("initialize", {"capabilities": 3})["error"]["code"] == -32602
    raw.initialize({"general": {"positionEncodings": ["utf-32"]}})
    assert raw.request("textDocument/hover", HOVER)["result"] is None


def test_an_end_before_the_first_message_is_an_end(raw):
    raw.process.stdin.close()
    assert raw.process.wait(30) == 0
