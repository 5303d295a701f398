/** Draws an SVG of media/ as PNG: `node scripts/picture.mjs icon 256`. */

import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const [name, width] = process.argv.slice(2);
const svg = readFileSync(`media/${name}.svg`, 'utf8');
const [, , , w, h] = /viewBox="(\S+) (\S+) (\S+) (\S+)"/.exec(svg) ?? [];
const scale = Number(width) / Number(w);
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  chromiumSandbox: false,
});
const page = await browser.newPage({
  viewport: { width: Number(w), height: Number(h) },
  deviceScaleFactor: scale,
});
await page.setContent(`<style>body{margin:0}svg{display:block}</style>${svg}`);
await page.screenshot({ path: `media/${name}.png`, omitBackground: true });
await browser.close();
