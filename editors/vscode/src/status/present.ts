/** What the status item says: a function of the server's state and of the shown file's last run. */

import type { RunStatus } from '../protocol';
import type { ServerState } from '../server/server';

export interface Shown {
  readonly text: string;
  readonly detail: string;
  readonly severity: 'information' | 'warning' | 'error';
  readonly busy: boolean;
  readonly action: Action;
}

export interface Action {
  readonly title: string;
  readonly command: string;
}

const LOGS: Action = { title: 'Show Logs', command: 'jit-lsp.showLogs' };
const TRACE: Action = { title: 'Trace Now', command: 'jit-lsp.traceNow' };
const STOP: Action = { title: 'Stop', command: 'jit-lsp.stop' };
const GRAPH: Action = { title: 'Show Graph', command: 'jit-lsp.showGraph' };
const TRUST: Action = { title: 'Manage Trust', command: 'workbench.trust.manage' };

export function present(server: ServerState, run: RunStatus | undefined): Shown {
  switch (server.kind) {
    case 'untrusted':
      return warning('not trusted', 'Nothing runs until you trust this workspace', TRUST);
    case 'starting':
      return { ...calm('starting', '', LOGS), busy: true };
    case 'failed':
      return { ...warning('not running', server.reason, LOGS), severity: 'error' };
    case 'ready':
      return run === undefined ? calm('ready', 'Saving runs the file', TRACE) : ofRun(run);
  }
}

/** How far a run is, as `line 41 · 3.2 s`. */
export function progress(run: RunStatus): string {
  const parts = [];
  if (run.line !== undefined && run.line !== null) {
    parts.push(`line ${run.line + 1}`);
  }
  if (run.seconds !== undefined && run.seconds !== null) {
    parts.push(`${run.seconds.toFixed(1)} s`);
  }
  return parts.join(' · ') || 'running';
}

function ofRun(run: RunStatus): Shown {
  switch (run.state) {
    case 'never':
      return calm('ready', 'This file has not run yet', TRACE);
    case 'waiting':
      return { ...calm('waiting', 'Another run goes first', STOP), busy: true };
    case 'running':
      return { ...calm(progress(run), 'Running; what is shown is from before', STOP), busy: true };
    case 'stopped':
      return calm('stopped', `Stopped; what is shown is from before. ${found(run)}`, TRACE);
    case 'unavailable':
      return warning('no run', run.outcome ?? 'The file could not be run', LOGS);
    case 'finished':
      return run.stale
        ? calm(`${found(run)} · stale`, 'From before the last change; save to run again', TRACE)
        : calm(found(run), outcome(run), GRAPH);
  }
}

function found(run: RunStatus): string {
  const { error, warning, information, hint } = run.findings;
  const counts = [
    count(error, 'error'),
    count(warning, 'warning'),
    count(information + hint, 'note'),
  ].filter(text => text !== '');
  return counts.join(', ') || 'no findings';
}

function outcome(run: RunStatus): string {
  const parts = [run.outcome ?? 'finished'];
  if (run.seconds !== undefined && run.seconds !== null) {
    parts.push(`${run.seconds.toFixed(2)} s`);
  }
  if (run.python) {
    parts.push(`Python ${run.python}`);
  }
  parts.push(run.confined.length > 0 ? 'confined' : 'not confined');
  return parts.join(' · ');
}

function count(number: number, noun: string): string {
  return number === 0 ? '' : `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function calm(text: string, detail: string, action: Action): Shown {
  return { text, detail, severity: 'information', busy: false, action };
}

function warning(text: string, detail: string, action: Action): Shown {
  return { text, detail, severity: 'warning', busy: false, action };
}
