"""A rule's page has its sections; its example gives just its finding, what to use instead none."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from case_runs import Runs
from with_torch import runnable

from jit_lsp import pagefiles
from jit_lsp.diagnostics import pages
from jit_lsp.diagnostics.rules import SECTIONS, Rule, all_rules, ir_verifier, no_derivative
from jit_lsp.export.errors import ExportError
from jit_lsp.export.exporter import export
from jit_lsp.ir import Module, parse
from jit_lsp.ir.gradients.reverse import NotDifferentiable
from jit_lsp.ir.passes.differentiate import differentiate
from jit_lsp.uris import path_of

DOCS = Path(__file__).parents[3] / "docs" / "rules"
RULES = list(all_rules().values())
GRAPHS = ("Example", "Use instead")
by_name = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
of_programs = pytest.mark.parametrize(
    "rule",
    [r for r in RULES if "```python" in r.page and runnable(r.page)],
    ids=lambda rule: rule.name,
)


@by_name
def test_page_has_the_sections_in_order(rule: Rule) -> None:
    sections = re.findall(r"^## (.*)$", rule.page, re.MULTILINE)
    assert [name for name in sections if name != "Options"] == list(SECTIONS)
    assert ("Options" in sections) is bool(rule.options)
    assert re.findall(r"^- ``(.*?)``:", section(rule, "Options"), re.MULTILINE) == [*rule.options]
    assert rule.title
    assert all(section(rule, name).strip() for name in SECTIONS)


@of_programs
def test_example_gives_this_finding_once(rule: Rule, runs: Runs) -> None:
    result = runs.run(Path(f"/{rule.name}.py"), code(rule, "Example"))
    assert [f.code for f in result.findings] == [rule.name]


@of_programs
def test_instead_gives_nothing(rule: Rule, runs: Runs) -> None:
    assert runs.run(Path(f"/{rule.name}.py"), code(rule, "Use instead")).findings == ()


def test_a_graph_that_contradicts_itself_is_a_finding() -> None:
    rule = all_rules()["ir-verifier"]
    broken, sound = (ir_verifier.findings(parse(graph(rule, name)), "update.py") for name in GRAPHS)
    assert [f.code for f in broken] == ["ir-verifier"]
    assert list(sound) == []


def test_an_op_without_a_derivative_is_a_finding() -> None:
    rule = all_rules()["no-derivative"]
    broken, sound = (parse(graph(rule, name)) for name in GRAPHS)
    with pytest.raises(NotDifferentiable) as caught:
        differentiated(broken)
    assert no_derivative.finding(caught.value, "a.py").code == rule.name
    differentiated(sound)


def test_an_op_without_an_export_is_a_finding() -> None:
    rule = all_rules()["no-export"]
    broken, sound = (parse(graph(rule, name)) for name in GRAPHS)
    with pytest.raises(ExportError) as caught:
        export(broken, "main")
    assert "np.linalg.inv" in caught.value.reason
    export(sound, "main")


def differentiated(module: Module) -> Module:
    """The derivative of what a graph returns by what it takes."""
    (loss,) = module.main.body.terminator.operands
    return differentiate(module, loss, module.main.parameters)


def test_docs_are_current() -> None:
    written = {file.name: file.read_text() for file in DOCS.iterdir()}
    assert written == pages.files(), "./dev docs writes them anew"


def test_codes_lead_to_a_file_with_the_page(tmp_path: Path, fresh: pytest.MonkeyPatch) -> None:
    fresh.setenv("XDG_CACHE_HOME", str(tmp_path))
    (rule, *_) = RULES
    file = path_of(pagefiles.address(rule.name))
    assert file is not None
    assert Path(file).is_relative_to(tmp_path)
    assert Path(file).read_text() == pages.page(rule)
    assert [path.name for path in Path(file).parent.iterdir()] == [f"{rule.name}.md"]


def test_codes_lead_nowhere_without_a_cache(tmp_path: Path, fresh: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    fresh.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert pagefiles.address(RULES[0].name) == ""


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """An environment to change, and no address remembered from another."""
    pagefiles.address.cache_clear()
    yield monkeypatch
    pagefiles.address.cache_clear()


def graph(rule: Rule, name: str) -> str:
    return section(rule, name).partition("```ir\n")[2].partition("```")[0]


def section(rule: Rule, name: str) -> str:
    after = rule.page.partition(f"## {name}\n")[2]
    return after.partition("\n## ")[0]


def code(rule: Rule, name: str) -> str:
    blocks = re.findall(r"```python\n(.*?)```", section(rule, name), re.DOTALL)
    assert len(blocks) == 1
    return str(blocks[0])
