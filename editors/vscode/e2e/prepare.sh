#!/usr/bin/env bash
# Makes all that the tests in a real editor need: the packages to install, the tests, and the editor.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
npm run --silent package >/dev/null
node scripts/build.mjs e2e
for name in driver fakes/python fakes/environments; do
  cp "e2e/$name/package.json" "out/$name"
  (
    cd "out/$name"
    npx vsce package --no-dependencies --allow-missing-repository --skip-license -o "$OLDPWD/out/$name.vsix"
  ) >/dev/null 2>&1
done
e2e/install-editor.sh >/dev/null
