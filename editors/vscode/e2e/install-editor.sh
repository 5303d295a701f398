#!/usr/bin/env bash
# Puts a real VS Code (code-server, with the Node it wants) in the user's cache, once for a machine,
# and prints its folder. From the npm registry alone; what it compiles needs g++, make, python3 and
# libkrb5-dev. Two minutes.
set -euo pipefail
version=4.139.1 node=24.22.3
case $(uname -m) in aarch64 | arm64) arch=arm64 ;; *) arch=x64 ;; esac
cache=${XDG_CACHE_HOME:-$HOME/.cache}/jit-lsp
home=$cache/code-server-$version

install_into() { # as npm hands its own Node down to what it runs, and that is to be another one
  unset npm_config_user_agent npm_node_execpath NODE
  mkdir -p "$1/node" "$1/editor"
  npm install --prefix "$1/node" --no-audit --no-fund --loglevel=error "node-linux-$arch@$node"
  PATH=$1/node/node_modules/node-linux-$arch/bin:$PATH \
    npm_config_nodedir=$1/node/node_modules/node-linux-$arch \
    npm install --prefix "$1/editor" --no-audit --no-fund --loglevel=error "code-server@$version"
  ln -s "node/node_modules/node-linux-$arch/bin/node" "$1/run-node"
  ln -s editor/node_modules/code-server "$1/code-server"
}

mkdir -p "$cache"
(
  flock 9 # one installs, the others wait
  if ! [ -d "$home" ]; then
    rm -rf "$home.partial"
    install_into "$home.partial" >&2
    mv "$home.partial" "$home"
  fi
) 9>"$home.lock"
echo "$home"
