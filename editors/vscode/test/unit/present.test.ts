import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunStatus } from '../../src/protocol';
import { present, progress } from '../../src/status/present';

const NONE = { error: 0, warning: 0, information: 0, hint: 0 };
const finished: RunStatus = {
  uri: 'file:///a.py',
  state: 'finished',
  seconds: 0.25,
  outcome: 'finished',
  findings: NONE,
  stale: false,
  python: '3.11.2',
  confined: ['seccomp'],
};
const shown = (run?: RunStatus) => present({ kind: 'ready' }, run);

test('the state of the server goes before that of a run', () => {
  assert.equal(present({ kind: 'untrusted' }, finished).action.title, 'Manage Trust');
  assert.equal(present({ kind: 'starting' }, finished).busy, true);
  const failed = present({ kind: 'failed', reason: 'no Python' }, finished);
  assert.deepEqual([failed.severity, failed.detail], ['error', 'no Python']);
});

test('a run says how far it is, and can be stopped', () => {
  const run = shown({ ...finished, state: 'running', line: 40, seconds: 3.24, stale: true });
  assert.deepEqual([run.text, run.busy, run.action.title], ['line 41 · 3.2 s', true, 'Stop']);
  assert.equal(progress({ ...finished, line: null, seconds: null }), 'running');
});

test('findings are counted in words', () => {
  assert.equal(shown(finished).text, 'no findings');
  const found = { error: 1, warning: 2, information: 1, hint: 1 };
  assert.equal(shown({ ...finished, findings: found }).text, '1 error, 2 warnings, 2 notes');
  assert.equal(shown(finished).detail, 'finished · 0.25 s · Python 3.11.2 · confined');
  assert.match(shown({ ...finished, confined: [] }).detail, /not confined/);
});

test('what is from before is said to be', () => {
  assert.match(shown({ ...finished, stale: true }).text, /stale/);
  assert.match(shown({ ...finished, state: 'stopped' }).detail, /from before/);
  const unavailable = shown({ ...finished, state: 'unavailable', outcome: 'no interpreter' });
  assert.deepEqual([unavailable.severity, unavailable.detail], ['warning', 'no interpreter']);
  assert.equal(shown({ ...finished, state: 'never' }).action.title, 'Trace Now');
});
