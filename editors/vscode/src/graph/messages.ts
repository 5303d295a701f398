/** What the graph view and the extension say to each other. */

import type { Drawing } from './drawing';

export type Severity = 'error' | 'warning' | 'note';

export interface Match {
  readonly id: string;
  readonly text: string;
}

/** To the view. */
export type ToView =
  | {
      readonly type: 'drawing';
      readonly drawing: Drawing;
      /** Ids of nodes with findings in them. */
      readonly marks: Readonly<Record<string, Severity>>;
      readonly selected: string | undefined;
    }
  | { readonly type: 'marks'; readonly marks: Readonly<Record<string, Severity>> }
  | { readonly type: 'select'; readonly id: string }
  | { readonly type: 'matches'; readonly text: string; readonly matches: readonly Match[] }
  | { readonly type: 'busy' }
  | { readonly type: 'stale' }
  | { readonly type: 'nothing'; readonly why: string };

/** From the view. */
export type FromView =
  | { readonly type: 'ready' }
  | { readonly type: 'toggle'; readonly id: string }
  | { readonly type: 'foldAll' }
  | { readonly type: 'unfold' }
  | { readonly type: 'source'; readonly id: string }
  | { readonly type: 'show'; readonly id: string }
  | { readonly type: 'search'; readonly text: string }
  | { readonly type: 'follow'; readonly on: boolean };
