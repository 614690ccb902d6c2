# Sourced by screenshot.sh and film.sh: fills the notebook of `$tn` with the notes that pictures show.

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
