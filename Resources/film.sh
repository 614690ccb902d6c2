#!/bin/sh
# Draws the film in README, film.svg: a real notebook in a real terminal, used by the steps in film.py.
#
#   sh Resources/film.sh [PROGRAM]      PROGRAM is the tn to show; the release build unless given
#
# Needs tmux and python3. Each picture is taken when the screen has rested for a second, so a quiet machine makes the same film
# again; on one that is busy a save may come a picture later.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
tn=${1:-$root/.build/release/tn}
case "$tn" in /*) ;; *) tn="$PWD/$tn" ;; esac
place=$(mktemp -d)
socket=tn-film-$$
trap 'tmux -L "$socket" kill-server 2>/dev/null || true; sleep 1; rm -rf "$place"' EXIT

export HOME="$place" XDG_DATA_HOME="$place/data" XDG_STATE_HOME="$place/state" XDG_CONFIG_HOME="$place/config"
unset TAKENOTE_DATABASE NO_COLOR
. "$root/Resources/sample.sh"

tmux -L "$socket" -f /dev/null new-session -d -x 100 -y 28 "COLORTERM=truecolor '$tn'; sleep 60"
tmux -L "$socket" set -ga terminal-overrides ',*:RGB'
tmux -L "$socket" set -g escape-time 5
python3 "$root/Resources/film.py" "$socket" >"$place/film.svg"
mv "$place/film.svg" "$root/Resources/film.svg"
