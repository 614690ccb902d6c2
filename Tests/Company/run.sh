#!/bin/sh
# Windows that share a notebook, each of which types words of its own, are killed, stopped and started again at random,
# while the shell appends to the same notes. Every word that a screen has shown must be in the notebook at the end, once.
#
#   sh Tests/Company/run.sh [PROGRAM]      PROGRAM is the release build unless given
#
# TN_COMPANY_SECONDS is how long (60), TN_COMPANY_WINDOWS how many (5), TN_SEED repeats a run as far as processors let it.
# With TN_COMPANY_LINE=same all type into one line. Needs python3 and tmux.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
exec python3 "$root/Tests/Company/company.py" "${1:-$root/.build/release/tn}"
