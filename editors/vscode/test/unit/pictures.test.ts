import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitted } from '../../src/pictures';

const picture = (svg: string) =>
  `![the graph](data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
const sized = (width: string, height: string) =>
  picture(`<svg xmlns="x" width="${width}" height="${height}" viewBox="0 0 1 1"></svg>`);

test('a picture keeps its size up to that of a hover', () => {
  const small = sized('120', '80.4');
  assert.equal(fitted(`a\n\n${small})\n`, false), `a\n\n${small}|width=120,height=80)\n`);
  const wide = sized('1200', '300');
  assert.equal(fitted(`${wide})`, false), `${wide}|width=600,height=150)`);
  const high = sized('300px', '900px');
  assert.equal(fitted(`${high})`, false), `${high}|width=100,height=300)`);
});

test('what is no picture of ours stays as it is', () => {
  const others = ['no picture', '![x](https://host/x.svg)', `${picture('<svg/>')})`];
  for (const text of others) {
    assert.equal(fitted(text, true), text);
  }
});

test('a picture on dark ground has its other colours', () => {
  const drawn = '<svg width="10" height="20" class="light"><style>.dark rect{}</style></svg>';
  const dark = drawn.replace('class="light"', 'class="dark"');
  const size = '|width=10,height=20)';
  assert.equal(fitted(`${picture(drawn)})`, true), picture(dark) + size);
  assert.equal(fitted(`${picture(drawn)})`, false), picture(drawn) + size);
});
