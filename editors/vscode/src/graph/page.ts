/** The page of the graph view: nothing but our script and our styles, and no network. */

import { randomBytes } from 'node:crypto';
import { Uri, type Webview } from 'vscode';

/** `program` is kept by the view, so that it comes back when the window is opened again. */
export function page(webview: Webview, extension: Uri, program: Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const file = (name: string) => webview.asWebviewUri(Uri.joinPath(extension, 'dist', name));
  const policy = [
    "default-src 'none'",
    `style-src ${webview.cspSource}`,
    `script-src 'nonce-${nonce}'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="${file('view.css')}">
<title>Graph</title>
</head>
<body data-program="${escaped(program.toString())}">
<header role="toolbar" aria-label="Graph">
  <div class="search">
    <input type="search" placeholder="Search operations, names, types" aria-label="Search"
      aria-controls="matches" spellcheck="false">
    <ul id="matches" role="listbox" aria-label="Matches" hidden></ul>
  </div>
  <button id="follow" aria-pressed="true" title="Follow the cursor (F)">Follow</button>
  <button id="unfold" title="Unfold the outermost groups (U)">Unfold</button>
  <button id="foldAll" title="Fold all (Shift+U)">Fold</button>
  <button id="out" title="Smaller (-)" aria-label="Smaller">&minus;</button>
  <button id="fit" title="Show all (0)">Fit</button>
  <button id="in" title="Larger (+)" aria-label="Larger">+</button>
</header>
<main>
  <svg tabindex="0" role="application" aria-label="Graph of the program" aria-describedby="said">
    <defs>
      <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0.5 1L7 4L0.5 7z"/></marker>
      <marker id="arrow-mutation" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0.5 1L7 4L0.5 7z"/></marker>
    </defs>
    <g id="all"></g>
  </svg>
  <p id="message" role="status"></p>
</main>
<footer><span id="said" aria-live="polite"></span></footer>
<script nonce="${nonce}" src="${file('view.js')}"></script>
</body>
</html>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
