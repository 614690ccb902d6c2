#!/usr/bin/env python3
"""Films a tn that runs in tmux: presses keys, takes a picture whenever the screen rests, and writes an animated SVG.

    python3 Resources/film.py SOCKET > film.svg

A row that stays as it is for several pictures is drawn once for all of them. Whoever wants no motion sees the last one.
"""
import re
import subprocess
import sys
import time

import picture

# Keys as tmux names them, or text to type; what must be on the screen then; how long the picture stays, in seconds.
LETTER = 0.12
STEPS = [
    ("", "library card", 2.0),
    ("key n", "", 0.6),
    ("type Weekend in Porto", "Weekend in Porto", 0.5),
    ("key Enter", "", LETTER), ("key Enter", "", LETTER),
    ("type - [ ] Book the **train**", "Book the train|Book the \\*\\*train", 0.4),
    ("key Enter", "", LETTER),
    ("type Ask ", "Ask", LETTER), ("type [[An", "Ana", 0.9), ("key Enter", "", 0.6),
    ("type  for her maps", "for her maps", 0.5),
    ("key Enter", "", LETTER), ("key Enter", "", LETTER),
    ("type #travel, before the crowds", "crowds", 1.2),
    ("key C-e", "", 2.0), ("key C-e", "", 0.4),
    ("key Escape", "", 0.5),
    ("key /", "", 0.5), ("type ana", "hits", 1.8),
    ("key Down", "", 1.0), ("key Enter", "", 1.6),
    ("key Escape", "", 0.4), ("key Escape", "", 2.4),
]
MARGIN = 12


def tmux(*words):
    return subprocess.run(["tmux", "-L", sys.argv[1], *words], capture_output=True, text=True, check=True).stdout


def resting(expected):
    """The screen and its cursor, once they were the same for a second and hold one of the texts."""
    end, last, same = time.monotonic() + 60, None, 0
    while time.monotonic() < end:
        screen = tmux("capture-pane", "-e", "-p").split("\n")
        plain = tmux("capture-pane", "-p")
        cursor = tmux("display", "-p", "#{cursor_flag} #{cursor_x} #{cursor_y}").split()
        same = same + 1 if (screen, cursor) == last else 0
        last = (screen, cursor)
        waits = "saving" in plain or expected and not any(text in plain for text in expected.split("|"))
        if same >= 9 and not waits:
            return screen, cursor
        time.sleep(0.12)
    sys.exit(f"film.py: “{expected}” did not come onto the screen:\n{plain}")


def film():
    """Pictures with their lengths: each is a list of rows of the screen, the cursor's block among them."""
    pictures = []
    for keys, expected, seconds in STEPS:
        kind, _, text = keys.partition(" ")
        # A text comes in pieces, as a hand writes it.
        pieces = [text[i:i + 3] for i in range(0, len(text), 3)] if kind == "type" else [text]
        for number, piece in enumerate(pieces):
            if kind == "type":
                tmux("send-keys", "-l", "--", piece)
            elif kind == "key":
                tmux("send-keys", piece)
            is_last = number == len(pieces) - 1
            screen, cursor = resting(expected if is_last else "")
            pictures.append((rows_of(screen, cursor), seconds if is_last else LETTER * len(piece) / 2))
    return pictures


def rows_of(screen, cursor):
    pen, rows = picture.Pen(), []
    for row, line in enumerate(screen):
        # A slow machine takes minutes for it, and the film is the same.
        line = re.sub(r"\b[1-9] min\b(?! read)", "  now", line)
        grounds, texts, _ = picture.drawn(line, row * picture.CELL_HEIGHT, pen)
        rows.append("".join(grounds + texts))
    if cursor[0] == "1":
        x, y = int(cursor[1]) * picture.CELL_WIDTH, int(cursor[2]) * picture.CELL_HEIGHT
        rows.append(f'<rect x="{x:.1f}" y="{y + 2}" width="2" height="{picture.CELL_HEIGHT - 3}" fill="#FF26B9"/>')
    else:
        rows.append("")
    return rows


def animated(pictures):
    """The film: each stretch in which a row stays the same is one group, shown by a rule of its own."""
    total = sum(seconds for _, seconds in pictures)
    starts = [sum(seconds for _, seconds in pictures[:number]) for number in range(len(pictures))] + [total]
    height = max(len(rows) for rows, _ in pictures) - 1
    groups = {}
    for row in range(height + 1):
        begin = 0
        shown = [rows[row] if row < len(rows) - 1 or row == height else "" for rows, _ in pictures]
        shown = [rows[-1] for rows, _ in pictures] if row == height else shown
        for number in range(1, len(pictures) + 1):
            if number == len(pictures) or shown[number] != shown[begin]:
                if shown[begin]:
                    groups.setdefault((begin, number), []).append(shown[begin])
                begin = number
    rules, drawings = [], []
    for (begin, end), parts in sorted(groups.items()):
        drawing = "".join(parts)
        if (begin, end) == (0, len(pictures)):
            drawings.append(drawing)
            continue
        name = f"s{begin}-{end}"
        first, last = starts[begin] / total * 100, starts[end] / total * 100
        frames = [f"{first:.3f}%{{visibility:visible}}"]
        if begin > 0: frames.insert(0, "0%{visibility:hidden}")
        if end < len(pictures): frames.append(f"{last:.3f}%{{visibility:hidden}}")
        frames.append(f"100%{{visibility:{'visible' if end == len(pictures) else 'hidden'}}}")
        rules.append(f"@keyframes {name}{{{''.join(frames)}}}.{name}{{animation-name:{name}}}")
        still = "" if end == len(pictures) else ' visibility="hidden"'
        drawings.append(f'<g class="m {name}"{still}>{drawing}</g>')
    columns = 100 * picture.CELL_WIDTH
    rows = (height - 1) * picture.CELL_HEIGHT
    size = f'{columns + 2 * MARGIN:.0f}" height="{rows + 2 * MARGIN}'
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-MARGIN} {-MARGIN} {columns + 2 * MARGIN:.0f} '
        f'{rows + 2 * MARGIN}" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" '
        f'font-size="{picture.FONT_SIZE}" xml:space="preserve">',
        f'<style>@media (prefers-reduced-motion: no-preference){{.m{{animation:{total:.2f}s step-end infinite}}',
        *rules, "}</style>",
        f'<rect x="{-MARGIN}" y="{-MARGIN}" width="{size}" rx="10" fill="{picture.BACKGROUND}"/>',
        *drawings, "</svg>"])


if __name__ == "__main__":
    print(animated(film()))
