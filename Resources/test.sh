#!/bin/sh
# Installs what the tests need, checks the style and runs every test. Arguments go to `swift test`; with FUZZ_SECONDS
# the fuzzer runs as well.
set -eu
cd "$(dirname "$0")/.."
. Resources/prerequisites.sh

need_swift
need git git git
need cc build-essential gcc
need tmux tmux tmux
need sqlite3 sqlite3 sqlite
need cmark cmark cmark
need cmark-gfm cmark-gfm cmark-gfm
need zsh zsh zsh
need fish fish fish
need mandoc mandoc mandoc
need groff groff groff
need_file /usr/include/sqlite3.h libsqlite3-dev
install_missing
sh Resources/specifications.sh
export TN_SPECIFICATIONS=required

swift format lint --strict --recursive --parallel Package.swift Sources Tests
swift build --build-tests
swift test --skip-build "$@"

# By themselves: they put a failing file system below every connection of their process.
[ $# -gt 0 ] || TN_FAULTS="${TN_FAULTS:-some}" swift test --skip-build --filter FaultTests

# The fuzzer takes its own build and so many seconds for each target; only on request.
[ -z "${FUZZ_SECONDS:-}" ] || sh Tests/Fuzzing/run.sh "$FUZZ_SECONDS"
