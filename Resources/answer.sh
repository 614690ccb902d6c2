#!/bin/sh
# Draws answer.svg for GUIDE: a question about the notes, with an answer that cites them.
#
#   sh Resources/answer.sh [PROGRAM]      PROGRAM is the tn to show; the release build unless given
#
# Needs tmux, curl and python3. The answer is not from a model but from answer.py, which contains it.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
tn=${1:-$root/.build/release/tn}
case "$tn" in /*) ;; *) tn="$PWD/$tn" ;; esac
place=$(mktemp -d)
socket=tn-answer-$$
trap 'kill "$server" 2>/dev/null || true; tmux -L "$socket" kill-server 2>/dev/null || true; sleep 1; rm -rf "$place"' EXIT

export HOME="$place" XDG_DATA_HOME="$place/data" XDG_STATE_HOME="$place/state" XDG_CONFIG_HOME="$place/config"
unset TAKENOTE_DATABASE NO_COLOR http_proxy https_proxy
python3 "$root/Resources/answer.py" "$place/port" &
server=$!
until [ -s "$place/port" ]; do sleep 0.1; done
. "$root/Resources/sample.sh"
mkdir -p "$XDG_CONFIG_HOME/takenote"
cat >"$XDG_CONFIG_HOME/takenote/config.toml" <<CONFIG
[ai]
chat = "local"
[ai.provider.local]
url = "http://127.0.0.1:$(cat "$place/port")/v1"
CONFIG

tmux -L "$socket" -f /dev/null new-session -d -x 120 -y 18 "COLORTERM=truecolor '$tn'; sleep 60"
tmux -L "$socket" set -ga terminal-overrides ',*:RGB'
tmux -L "$socket" set -g escape-time 5
keys() { tmux -L "$socket" send-keys "$@"; }
await() { until tmux -L "$socket" capture-pane -p | grep -q "$1"; do sleep 0.1; done; }

await 'Piranesi'
keys M-i && await 'Chat'
keys -l 'What do I read after Piranesi, and what would Ana like for her birthday?' && keys Enter
await ' 2\.' && sleep 1
tmux -L "$socket" capture-pane -e -p | python3 "$root/Resources/picture.py" >"$place/answer.svg"
mv "$place/answer.svg" "$root/Resources/answer.svg"
