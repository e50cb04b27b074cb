#!/usr/bin/env bash
# Runs the first commands of a newcomer by the program that is given: smoke.sh PROGRAM [ARGUMENT…]
set -euo pipefail

folder="$(mktemp -d)"
trap 'cd / && rm -rf "$folder"' EXIT
cd "$folder"
git init --quiet
"$@" --version
"$@" init --url "${SMOKE_URL:-https://example.com}"
"$@" validate
"$@" update
"$@" graphs
"$@" site
"$@" status
test -s .monitorrc.yml
test -s site/status-page/export/index.html
