#!/bin/sh
# Draws sync.svg for README and GUIDE: one notebook on two machines, whose windows stand side by side.
#
#   sh Resources/sync.sh [PROGRAM]      PROGRAM is the tn to show; the release build unless given
#
# Needs tmux, git and python3. A window that holds two others is captured, so that the border between them is in the
# picture.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
tn=${1:-$root/.build/release/tn}
case "$tn" in /*) ;; *) tn="$PWD/$tn" ;; esac
place=$(mktemp -d)
inside=tn-sync-inside-$$ outside=tn-sync-outside-$$
trap 'for s in "$outside" "$inside"; do tmux -L "$s" kill-server 2>/dev/null || true; done; sleep 1; rm -rf "$place"' EXIT
unset TAKENOTE_DATABASE NO_COLOR TMUX

# A machine is a folder for everything that tn keeps.
machine() {
    export HOME="$place/$1" XDG_DATA_HOME="$place/$1/data" XDG_STATE_HOME="$place/$1/state" \
        XDG_CONFIG_HOME="$place/$1/config"
    mkdir -p "$XDG_CONFIG_HOME/takenote"
    printf '[sync]\nname = "%s"\npause = 1\n' "$1" >"$XDG_CONFIG_HOME/takenote/config.toml"
}
window() { printf "env HOME='%s' XDG_DATA_HOME='%s' XDG_STATE_HOME='%s' XDG_CONFIG_HOME='%s' COLORTERM=truecolor '%s'; sleep 60" \
    "$HOME" "$XDG_DATA_HOME" "$XDG_STATE_HOME" "$XDG_CONFIG_HOME" "$tn"; }
keys() { tmux -L "$inside" send-keys -t "$@"; }
await() { until tmux -L "$inside" capture-pane -p -t "$1" | grep -q "$2"; do sleep 0.2; done; }

machine laptop
. "$root/Resources/sample.sh"
"$tn" sync init "$place/notes.git" --yes >/dev/null
left=$(window)
machine desktop
"$tn" sync init "$place/notes.git" --yes >/dev/null
right=$(window)

tmux -L "$inside" -f /dev/null new-session -d -x 160 -y 16 "$left"
tmux -L "$inside" set -ga terminal-overrides ',*:RGB'
tmux -L "$inside" set -g status off
tmux -L "$inside" set -g pane-active-border-style default
tmux -L "$inside" set -g escape-time 5
tmux -L "$inside" split-window -h "$right"
tmux -L "$inside" select-pane -t 0
tmux -L "$outside" -f /dev/null new-session -d -x 160 -y 16 "COLORTERM=truecolor tmux -L $inside attach"
tmux -L "$outside" set -ga terminal-overrides ',*:RGB'
tmux -L "$outside" set -g status off

await 0 'Reading list'
await 1 'Reading list'
keys 0 n && sleep 1
keys 0 -l 'The lighthouse keeps its own hours' && keys 0 Enter Enter
keys 0 -l 'Written on the laptop, read on the desktop.'
sleep 1
keys 0 C-s && await 0 '✓'
machine desktop
until "$tn" list 2>/dev/null | grep -q 'The lighthouse'; do "$tn" sync --quiet --wait 10 || sleep 1; done
await 1 'The lighthouse' && keys 1 Home && sleep 1 && keys 1 Down && sleep 1 && keys 1 Enter
await 1 'Written on the laptop, read on the desktop' && sleep 1
tmux -L "$outside" capture-pane -e -p | python3 "$root/Resources/picture.py" >"$place/sync.svg"
mv "$place/sync.svg" "$root/Resources/sync.svg"
