/** Which nodes have findings in them, open or not. */

import { DiagnosticSeverity, languages, type TextDocument } from 'vscode';
import { shownFor } from './folding';
import type { Severity } from './messages';
import type { Model } from './model';
import { placeOf } from './places';

const ORDER: readonly Severity[] = ['note', 'warning', 'error'];

export function marksOf(
  model: Model,
  open: ReadonlySet<string>,
  documents: readonly TextDocument[],
): Record<string, Severity> {
  const marks: Record<string, Severity> = {};
  for (const document of documents) {
    for (const { source, range, severity } of languages.getDiagnostics(document.uri)) {
      const element = source === 'jit-lsp' ? model.at(placeOf(document, range.start)) : undefined;
      if (element !== undefined) {
        const { id } = shownFor(element, open);
        marks[id] = worse(marks[id], named(severity));
      }
    }
  }
  return marks;
}

function worse(one: Severity | undefined, other: Severity): Severity {
  return one !== undefined && ORDER.indexOf(one) > ORDER.indexOf(other) ? one : other;
}

function named(severity: DiagnosticSeverity): Severity {
  switch (severity) {
    case DiagnosticSeverity.Error:
      return 'error';
    case DiagnosticSeverity.Warning:
      return 'warning';
    default:
      return 'note';
  }
}
