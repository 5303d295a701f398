/** Between places of the editor (columns in UTF-16 units) and of a trace (in code points). */

import { Position, Range, type TextDocument } from 'vscode';
import type { Place, Span } from './trace';

export function placeOf(document: TextDocument, position: Position): Place {
  const before = document.lineAt(position.line).text.slice(0, position.character);
  return { path: document.uri.fsPath, line: position.line + 1, column: [...before].length };
}

export function rangeOf(document: TextDocument, span: Span): Range {
  return new Range(
    positionOf(document, span.line, span.column),
    positionOf(document, span.endLine, span.endColumn),
  );
}

function positionOf(document: TextDocument, line: number, column: number): Position {
  const number = Math.min(line - 1, document.lineCount - 1);
  const before = [...document.lineAt(number).text].slice(0, column).join('');
  return new Position(number, before.length);
}
