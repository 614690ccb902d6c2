#!/bin/sh
# Draws the pictures in README, screen.svg, search.svg and reading.svg: a real notebook in a real terminal.
#
#   sh Resources/screenshot.sh [PROGRAM]      PROGRAM is the tn to show; the release build unless given
#
# Needs tmux and python3.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
tn=${1:-$root/.build/release/tn}
place=$(mktemp -d)
socket=tn-screenshot-$$
trap 'tmux -L "$socket" kill-server 2>/dev/null || true; sleep 1; rm -rf "$place"' EXIT

export XDG_DATA_HOME="$place/data" XDG_STATE_HOME="$place/state" XDG_CONFIG_HOME="$place/config"
unset TAKENOTE_DATABASE NO_COLOR

. "$root/Resources/sample.sh"

tmux -L "$socket" -f /dev/null new-session -d -x 120 -y 32 "COLORTERM=truecolor '$tn'; sleep 60"
tmux -L "$socket" set -ga terminal-overrides ',*:RGB'
tmux -L "$socket" set -g escape-time 5

keys() { tmux -L "$socket" send-keys "$@"; }
await() { until tmux -L "$socket" capture-pane -p | grep -q "$1"; do sleep 0.1; done; }
draw() { tmux -L "$socket" capture-pane -e -p | python3 "$root/Resources/picture.py" > "$root/Resources/$1.svg"; }

await 'library card'
draw screen
keys / && keys -l 'ana' && await 'hits' && sleep 0.5
draw search
keys Escape && await 'library card' && keys p && await '☑'
draw reading
