"""The whole path with clients that have the capabilities of real editors."""

import asyncio
import sys

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities
from raw_client import PATIENCE, SERVER

# The program fails behind two characters that are four units of UTF-16 and eight of UTF-8.
BROKEN = """\
import numpy as np

x = np.ones((64, 784))
W1 = np.zeros((512, 10))
label = "𝒳🙂"; h = x @ W1
"""
FAILS_AT = {"utf-8": (24, 30), "utf-16": (20, 26), "utf-32": (18, 24)}
ASKED = [
    lsp.CLIENT_REGISTER_CAPABILITY,
    lsp.WORKSPACE_CODE_LENS_REFRESH,
    lsp.WORKSPACE_INLAY_HINT_REFRESH,
]
PROFILES = {  # with the unit that each of them asks for first
    "visual_studio_code": "utf-16",
    "neovim": "utf-8",
    "emacs": "utf-32",
}


@pytest_lsp.fixture(
    params=PROFILES, ids=list(PROFILES), config=ClientServerConfig(server_command=SERVER)
)
async def client(request, lsp_client: LanguageClient):
    params = lsp.InitializeParams(
        client_capabilities(request.param),
        initialization_options={"jit-lsp": {"interpreter": sys.executable}},
    )
    if request.param == "visual_studio_code":  # the profile is older than the choice of units
        params.capabilities.general.position_encodings = [lsp.PositionEncodingKind.Utf16]
    for method in ASKED:  # the profile says that the client answers; pytest-lsp's doesn't
        lsp_client.feature(method)(lambda params: None)
    result = await lsp_client.initialize_session(params)
    lsp_client.encoding = result.capabilities.position_encoding
    assert lsp_client.encoding == PROFILES[request.param]
    yield
    await lsp_client.shutdown_session()


@pytest.mark.asyncio
async def test_open_save_look_and_fix(client: LanguageClient, tmp_path):
    path = tmp_path / "train.py"
    uri = open_file(client, path, BROKEN)
    (diagnostic,) = await save(client, uri)

    start, end = FAILS_AT[client.encoding]
    assert diagnostic.range == lsp.Range(lsp.Position(4, start), lsp.Position(4, end))
    assert (diagnostic.source, diagnostic.code) == ("jit-lsp", "shape-mismatch")
    assert diagnostic.severity == lsp.DiagnosticSeverity.Error
    headline, *below = diagnostic.message.splitlines()
    assert "784" in headline
    assert "512" in headline
    assert any("f64[64, 784]" in line for line in below)
    assert not any(headline in line for line in below)
    can = client.capabilities.text_document.publish_diagnostics
    if can.related_information:
        assert {i.location.uri for i in diagnostic.related_information} == {uri}
        assert 3 in {i.location.range.start.line for i in diagnostic.related_information}
    else:
        assert diagnostic.related_information is None
        assert any(str(path) in line for line in below)
    if can.code_description_support:
        assert diagnostic.code_description.href.endswith("/shape-mismatch.md")
    if can.data_support:
        assert "fixes" in diagnostic.data

    hover = await client.text_document_hover_async(
        lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(2, 0))
    )
    assert hover.contents.kind == lsp.MarkupKind.Markdown
    assert "f64[64, 784]" in hover.contents.value

    client.text_document_did_change(
        lsp.DidChangeTextDocumentParams(
            lsp.VersionedTextDocumentIdentifier(2, uri),
            [
                lsp.TextDocumentContentChangePartial(
                    lsp.Range(lsp.Position(3, 15), lsp.Position(3, 18)), "784"
                )
            ],
        )
    )
    assert list(await save(client, uri)) == []


@pytest.mark.asyncio
async def test_a_quick_fix_makes_the_finding_go(client: LanguageClient, tmp_path):
    text = 'import numpy as np\n\nlabel = "𝒳🙂"; n = np.arange(4); n += 0.5\n'
    uri = open_file(client, tmp_path / "fix.py", text)
    (diagnostic,) = await save(client, uri)
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(uri),
            diagnostic.range,
            lsp.CodeActionContext([diagnostic], only=[lsp.CodeActionKind.QuickFix]),
        )
    )
    action = actions[0]
    assert action.kind == lsp.CodeActionKind.QuickFix
    assert [d.code for d in action.diagnostics] == [diagnostic.code]
    client.text_document_did_change(
        lsp.DidChangeTextDocumentParams(
            lsp.VersionedTextDocumentIdentifier(2, uri),
            [
                lsp.TextDocumentContentChangePartial(edit.range, edit.new_text)
                for edit in edits_of(action.edit)
            ],
        )
    )
    assert list(await save(client, uri)) == []


@pytest.mark.asyncio
async def test_other_kinds_of_actions_are_left_to_others(client: LanguageClient, tmp_path):
    uri = open_file(client, tmp_path / "train.py", BROKEN)
    (diagnostic,) = await save(client, uri)
    context = lsp.CodeActionContext([diagnostic], only=[lsp.CodeActionKind.SourceOrganizeImports])
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), diagnostic.range, context)
    )
    assert list(actions) == []


def open_file(client, path, text):
    path.write_text(text, encoding="utf-8")
    client.text_document_did_open(
        lsp.DidOpenTextDocumentParams(
            lsp.TextDocumentItem(path.as_uri(), lsp.LanguageKind.Python, 1, text)
        )
    )
    return path.as_uri()


async def save(client, uri):
    """Save, and wait for what is published then."""
    client.diagnostics.pop(uri, None)
    client.text_document_did_save(lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(uri)))
    async with asyncio.timeout(PATIENCE):
        while uri not in client.diagnostics:
            await asyncio.sleep(0.01)
    return client.diagnostics[uri]


def edits_of(edit):
    if edit.document_changes is None:
        (edits,) = edit.changes.values()
    else:
        (change,) = edit.document_changes
        edits = change.edits
    return edits
