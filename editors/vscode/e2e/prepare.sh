#!/usr/bin/env bash
# Makes all that the tests in a real editor need: the packages to install, the tests, and the editor.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
npm run --silent package >/dev/null
node scripts/build.mjs e2e
cp e2e/driver/package.json out/driver
(
  cd out/driver
  npx vsce package --no-dependencies --allow-missing-repository --skip-license -o ../driver.vsix
) >/dev/null 2>&1
e2e/install-editor.sh >/dev/null
