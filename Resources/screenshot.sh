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

add() { "$tn" --new "$@" >/dev/null; }

"$tn" folder add Home >/dev/null
"$tn" folder add Work >/dev/null
"$tn" folder add Work/Meetings >/dev/null
"$tn" project add Poems --type poetry >/dev/null
add --tag shell 'Tmux cheats
prefix z zooms; prefix ! breaks the pane out'
add --folder Home 'Groceries
Milk, eggs, coffee filters, rye bread'
add --folder Work/Meetings 'Meeting with Ana
Move the stand-up to ten, ask about the venue; she has the [[Reading list]] too'
add --folder Home --tag travel 'Lisbon
Tram 28 at seven, before the crowds; pastéis in Belém'
add 'Ana
Birthday on the 12th. Likes 世界 maps.'
add --tag books --star <<'NOTE'
# Reading list

Started with **Piranesi**; next is the *Borges* one, in the translation that [[Ana]] lent me.

- [x] Piranesi
- [ ] Ficciones
- [ ] The Dispossessed

> A labyrinth is a house built to confuse men.

```swift
let next = shelf.first { !$0.isRead }  // at last
```

See also ==the library card== and `tn search tag:books`. #books
NOTE

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
