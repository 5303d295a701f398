#!/usr/bin/env bash
# Tests the package in a real editor. Pictures of what a person would have seen are left in out/pictures.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
npm run --silent package >/dev/null
node scripts/build.mjs e2e
cp e2e/driver/package.json out/driver
(cd out/driver && npx vsce package --no-dependencies --allow-missing-repository --skip-license -o ../driver.vsix) >/dev/null 2>&1
e2e/install-editor.sh >/dev/null
exec node --test --test-concurrency=1 --test-reporter=spec "$@" out/e2e/
