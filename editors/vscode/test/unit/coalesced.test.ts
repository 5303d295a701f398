import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Coalesced } from '../../src/server/coalesced';

test('what is asked for while it runs is one run more, shared', async () => {
  const ends: (() => void)[] = [];
  const coalesced = new Coalesced(() => new Promise<void>(resolve => ends.push(resolve)));
  const first = coalesced.request();
  const others = [coalesced.request(), coalesced.request(), coalesced.request()];
  assert.equal(ends.length, 1);
  ends[0]?.();
  await first;
  await new Promise(resolve => setImmediate(resolve));
  assert.equal(ends.length, 2);
  ends[1]?.();
  await Promise.all(others);
  assert.equal(ends.length, 2);
});

test('a run that fails is told to those who asked for it, and the next one runs', async () => {
  let runs = 0;
  const coalesced = new Coalesced(async () => {
    runs += 1;
    if (runs === 1) {
      throw new Error('no');
    }
  });
  const [first, second] = [coalesced.request(), coalesced.request()];
  await assert.rejects(first, /no/);
  await second;
  await coalesced.request();
  assert.equal(runs, 3);
});
