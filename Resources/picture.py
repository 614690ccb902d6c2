#!/usr/bin/env python3
"""Turns a captured screen into a picture.

    tmux capture-pane -e -p | python3 Resources/picture.py > screen.svg
    python3 Resources/picture.py --frame Tests/Frames/list.80x24.txt --theme light > list.svg

Reads lines of text with SGR escape sequences on standard input, or a frame of the tests in a theme, and writes an SVG:
one text element a run of cells of one style, each placed by its column, so that wide characters stay in the grid
whatever the font.
"""
import argparse
import pathlib
import re
import sys
import unicodedata
from html import escape

CELL_WIDTH, CELL_HEIGHT, FONT_SIZE = 9.0, 20, 15
FOREGROUND, BACKGROUND = "#d8d8dc", "#16151a"
ANSI = ["#1e1e22", "#ff5c57", "#5af78e", "#f3f99d", "#57a8ff", "#ff6ac1", "#9aedfe", "#d8d8dc",
        "#686868", "#ff7b76", "#7cffab", "#f7fbbd", "#7fb8ff", "#ff8fd2", "#b8f4ff", "#ffffff"]


def palette(index):
    if index < 16:
        return ANSI[index]
    if index < 232:
        index -= 16
        levels = [0, 95, 135, 175, 215, 255]
        return "#%02x%02x%02x" % (levels[index // 36], levels[index // 6 % 6], levels[index % 6])
    level = 8 + 10 * (index - 232)
    return "#%02x%02x%02x" % (level, level, level)


class Pen:
    def __init__(self):
        self.reset()

    def reset(self):
        self.fg = self.bg = None
        self.bold = self.dim = self.italic = self.underline = self.reverse = self.strike = False

    def apply(self, parameters):
        codes = [int(p) if p else 0 for p in re.split("[;:]", parameters)] or [0]
        while codes:
            code = codes.pop(0)
            if code == 0: self.reset()
            elif code == 1: self.bold = True
            elif code == 2: self.dim = True
            elif code == 3: self.italic = True
            elif code == 4: self.underline = True
            elif code == 7: self.reverse = True
            elif code == 9: self.strike = True
            elif code == 22: self.bold = self.dim = False
            elif code == 23: self.italic = False
            elif code == 24: self.underline = False
            elif code == 27: self.reverse = False
            elif code == 29: self.strike = False
            elif 30 <= code <= 37: self.fg = ANSI[code - 30]
            elif 90 <= code <= 97: self.fg = ANSI[code - 82]
            elif 40 <= code <= 47: self.bg = ANSI[code - 40]
            elif 100 <= code <= 107: self.bg = ANSI[code - 92]
            elif code == 39: self.fg = None
            elif code == 49: self.bg = None
            elif code in (38, 48) and codes:
                colour = None
                mode = codes.pop(0)
                if mode == 5 and codes:
                    colour = palette(codes.pop(0))
                elif mode == 2 and len(codes) >= 3:
                    colour = "#%02x%02x%02x" % tuple(codes[:3])
                    del codes[:3]
                if code == 38: self.fg = colour
                else: self.bg = colour

    def colours(self):
        fg, bg = self.fg or FOREGROUND, self.bg or BACKGROUND
        return (bg, fg) if self.reverse else (fg, bg)

    def attributes(self):
        fg, _ = self.colours()
        style = f'fill="{fg}"'
        if self.bold: style += ' font-weight="bold"'
        if self.italic: style += ' font-style="italic"'
        if self.dim: style += ' opacity="0.6"'
        decorations = [name for name, on in (("underline", self.underline), ("line-through", self.strike)) if on]
        if decorations: style += f' text-decoration="{" ".join(decorations)}"'
        return style


def width(character):
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


ATTRIBUTES = {"bold": 1, "dim": 2, "italic": 3, "underline": 4, "reverse": 7, "strikethrough": 9}
NAMES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]


def read_style(text, colours):
    """A style of a theme file: foreground, background, attributes."""
    style, is_ground = {"fg": None, "bg": None, "attributes": set()}, False
    for word in text.split():
        if word == "on":
            is_ground = True
        elif word in ATTRIBUTES:
            style["attributes"].add(word)
        else:
            style["bg" if is_ground else "fg"] = colours.get(word, word)
            is_ground = False
    return style


def put(upper, ground):
    """A style over another, as the program lays them: it keeps its colours and takes the ground's."""
    return {"fg": upper["fg"], "bg": upper["bg"] or ground["bg"],
            "attributes": upper["attributes"] | ground["attributes"]}


def sgr(style):
    codes = ["0"] + [str(ATTRIBUTES[name]) for name in sorted(style["attributes"])]
    for key, base in (("fg", 30), ("bg", 40)):
        colour = style[key]
        if not colour:
            continue
        if colour.startswith("#"):
            codes += [str(base + 8), "2"] + [str(int(colour[i:i + 2], 16)) for i in (1, 3, 5)]
        elif colour.startswith("bright-"):
            codes.append(str(base + 60 + NAMES.index(colour[7:])))
        else:
            codes.append(str(base + NAMES.index(colour)))
    return "\x1b[" + ";".join(codes) + "m"


def frame_lines(path, theme_name):
    """The rows of a frame of the tests with the escape sequences of a theme."""
    import tomllib
    themes = pathlib.Path(__file__).parent / "themes"
    theme = tomllib.loads((themes / f"{theme_name}.toml").read_text())
    colours = theme.get("colors", {})
    parts = {name: read_style(text, colours) for name, text in theme["window"].items()}
    parts |= {"markdown." + name: read_style(text, colours) for name, text in theme["markdown"].items()}
    text, rest = pathlib.Path(path).read_text().split("== styles\n")
    rows, legend = rest.split("== legend\n")
    styles = {" ": read_style("", {})}
    for line in legend.splitlines():
        letter, name = line[0], line[2:]
        if name.startswith("("):
            # What no parts give is described in the dark, the light and the colourless theme; a frame of one theme
            # describes all of its styles.
            forms = re.findall(r"\(([^)]*)\)", name)
            order = ["dark", "light"] if len(forms) > 1 else []
            styles[letter] = read_style(forms[order.index(theme_name) if theme_name in order else -1], {})
            continue
        layers = [parts.get(part) or read_style(part, {}) for part in name.split(" on ")]
        style = layers[-1]
        for layer in reversed(layers[:-1]):
            style = put(layer, style)
        styles[letter] = style
    maps = {int(line[:2]): line[3:] for line in rows.splitlines()}
    size = re.search(r"(\d+)x\d+\.txt$", path)
    lines = []
    for row, line in enumerate(text.splitlines()):
        cells, column, shown = maps.get(row, ""), 0, ""
        for character, columns in clusters(line):
            if columns:
                shown += sgr(styles[cells[column] if column < len(cells) else " "])
            shown += character
            column += columns
        # Blanks at the end are left out of frames; their ground may be coloured.
        for cell in range(column, int(size.group(1)) if size else column):
            shown += sgr(styles[cells[cell] if cell < len(cells) else " "]) + " "
        lines.append(shown + "\x1b[0m")
    return lines


def clusters(text):
    """The characters of a text with what belongs to them; U+FE0F makes the one before it a wide picture."""
    for piece in re.findall("[^\ufe0f]\ufe0f|.", text, re.DOTALL):
        yield piece, 2 if piece.endswith("\ufe0f") and len(piece) > 1 else sum(width(c) for c in piece)


def drawn(line, y, pen):
    """A row of the screen at the height `y`: its grounds, its texts, and how many columns it has."""
    column, grounds, texts = 0, [], []
    for part in re.split("(\x1b\\[[0-9;:]*m|\x1b\\]8;[^\x1b\x07]*(?:\x1b\\\\|\x07))", line):
        if part.startswith("\x1b["):
            pen.apply(part[2:-1])
            continue
        if part.startswith("\x1b"):
            continue
        start, run, begin = column, "", column
        _, ground = pen.colours()
        pieces = []
        for character, cells in clusters(part):
            if cells != 1 and cells != 0:
                if run: pieces.append((begin, run))
                pieces.append((column, character))
                run, begin = "", column + cells
            else:
                run += character
            column += cells
        if run: pieces.append((begin, run))
        if ground != BACKGROUND and column > start:
            grounds.append(f'<rect x="{start * CELL_WIDTH:.1f}" y="{y}" width="{(column - start) * CELL_WIDTH:.1f}" '
                           f'height="{CELL_HEIGHT}" fill="{ground}"/>')
        for place, text in pieces:
            if text.strip():
                cells = sum(columns for _, columns in clusters(text))
                texts.append(f'<text x="{place * CELL_WIDTH:.1f}" y="{y + FONT_SIZE}" '
                             f'textLength="{cells * CELL_WIDTH:.1f}" {pen.attributes()}>{escape(text)}</text>')
    return grounds, texts, column


def main():
    global FOREGROUND, BACKGROUND
    arguments = argparse.ArgumentParser(description="Turns a captured screen into a picture (SVG).")
    arguments.add_argument("--frame", help="a file of Tests/Frames, instead of standard input")
    arguments.add_argument("--theme", default="dark", help="the theme to show a frame in")
    options = arguments.parse_args()
    pen, rows, widest = Pen(), [], 0
    grounds, texts = [], []
    if options.frame:
        if options.theme.endswith("light"):
            FOREGROUND, BACKGROUND = "#1c1b20", "#ffffff"
        lines = frame_lines(options.frame, options.theme)
    else:
        lines = sys.stdin.read().split("\n")
    if lines and not lines[-1]:
        lines.pop()
    for row, line in enumerate(lines):
        row_grounds, row_texts, columns = drawn(line, row * CELL_HEIGHT, pen)
        grounds += row_grounds
        texts += row_texts
        widest = max(widest, columns)
    total_width, total_height = widest * CELL_WIDTH, len(lines) * CELL_HEIGHT
    margin = 12
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-margin} {-margin} {total_width + 2 * margin:.0f} '
          f'{total_height + 2 * margin}" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" '
          f'font-size="{FONT_SIZE}" xml:space="preserve">')
    print(f'<rect x="{-margin}" y="{-margin}" width="{total_width + 2 * margin:.0f}" '
          f'height="{total_height + 2 * margin}" rx="10" fill="{BACKGROUND}"/>')
    print("\n".join(grounds + texts))
    print("</svg>")


if __name__ == "__main__":
    main()
