/** Bundles the extension into dist/; with `tests` or `e2e`, those into out/. */

import { readdirSync } from 'node:fs';
import { build } from 'esbuild';

const host = {
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
};

const shipped = {
  ...host,
  outdir: 'dist',
  minify: true,
  supported: { 'dynamic-import': false }, // what is loaded late is required late
};

const browser = { format: 'iife', platform: 'browser', target: 'es2022' };

const testsIn = folder =>
  readdirSync(folder)
    .filter(name => name.endsWith('.test.ts'))
    .map(name => `${folder}/${name}`);

const BUNDLES = {
  extension: [
    { ...shipped, entryPoints: ['src/extension.ts'], external: ['vscode', './connection'] },
    { ...shipped, entryPoints: ['src/server/connection.ts'], external: ['vscode'] },
    { ...shipped, entryPoints: ['src/graph/layoutThread.ts'] },
    { ...shipped, ...browser, entryPoints: { view: 'src/webview/main.ts' } },
    { ...shipped, ...browser, entryPoints: ['src/webview/view.css'] },
  ],
  tests: [{ ...host, entryPoints: testsIn('test/unit'), outdir: 'out/unit', sourcemap: 'inline' }],
  e2e: [
    {
      ...host,
      entryPoints: [...testsIn('e2e'), 'e2e/pictures.ts'],
      outdir: 'out/e2e',
      packages: 'external',
    },
    ...['driver', 'fakes/python', 'fakes/environments'].map(name => ({
      ...host,
      entryPoints: [`e2e/${name}/extension.ts`],
      outdir: `out/${name}`,
      external: ['vscode'],
    })),
  ],
};

await Promise.all(BUNDLES[process.argv[2] ?? 'extension'].map(build));
