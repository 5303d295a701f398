"""HTML: one ``<pre>``, a ``<span>`` with classes for each annotated run, everything escaped."""

from __future__ import annotations

from html import escape

from .layout import Layout
from .nodes import Doc
from .runs import Run, laid_out, styled_lines
from .style import Link, Style

STYLESHEET = """\
pre.doc {
  font: var(--vscode-editor-font-size, 14px)/1.2 var(--vscode-editor-font-family, monospace);
  margin: 0;
  --red: #b3261e; --amber: #8a5a00; --blue: #1f5fbf; --green: #1a7f37; --violet: #7a3e9d;
  --teal: #0b7285; --grey: #71767e;
}
@media (prefers-color-scheme: dark) {
  pre.doc {
    --red: #ff7b72; --amber: #e3b341; --blue: #79b8ff; --green: #56d364; --violet: #d2a8ff;
    --teal: #66d9e8; --grey: #8b949e;
  }
}
.doc a { color: inherit; text-decoration-style: dotted }
.doc .headline, .doc .strong, .doc .note { font-weight: 600 }
.doc .emphasis { font-style: italic }
.doc .path, .doc .type, .doc .code { color: var(--teal) }
.doc .keyword { color: var(--violet) }
.doc .value { color: var(--amber) }
.doc .secondary { color: var(--blue) }
.doc .gutter, .doc .dimmed { color: var(--grey) }
.doc .warning { color: var(--amber); font-weight: 600 }
.doc .information { color: var(--blue); font-weight: 600 }
.doc .hint, .doc .help { color: var(--teal); font-weight: 600 }
.doc .fix { color: var(--green); font-weight: 600 }
.doc .error, .doc .primary, .doc .marked { color: var(--red); font-weight: 600 }
"""


def render_html(document: Layout | Doc, width: int = 80) -> str:
    """``document`` as a ``<pre class="doc">``, to be shown with ``STYLESHEET``.

    >>> render_html("a < " + annotate(Style.VALUE, "b"))
    '<pre class="doc">a &lt; <span class="value">b</span></pre>'
    """
    lines = styled_lines(laid_out(document, width))
    inside = "\n".join("".join(map(_marked, line)) for line in lines)
    first = "\n" if inside.startswith("\n") else ""  # HTML drops a line end behind <pre>
    return f'<pre class="doc">{first}{inside}</pre>'


def _marked(run: Run) -> str:
    text = escape(run.text)
    classes = [a.value for a in run.annotations if isinstance(a, Style) and a is not Style.BLOCK]
    if classes:
        text = f'<span class="{" ".join(classes)}">{text}</span>'
    for annotation in run.annotations:
        if isinstance(annotation, Link) and annotation.is_safe:
            text = f'<a href="{escape(annotation.target)}">{text}</a>'
    return text
