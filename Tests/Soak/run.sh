#!/bin/sh
# Hours of random use, compressed: the window gets keys without a pause, other programs write to its notebook, and memory,
# handles and threads must stay flat. What was typed last must be in the notebook at the end, which the doctor looks at.
#
#   sh Tests/Soak/run.sh [PROGRAM]      PROGRAM is the release build unless given
#
# TN_SOAK_MINUTES is how long (2; eight hours are 480), TN_SEED repeats a run. Needs python3.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
exec python3 "$root/Tests/Soak/soak.py" "${1:-$root/.build/release/tn}"
