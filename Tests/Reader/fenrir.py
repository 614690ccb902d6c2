"""Presses the keys of a walk in `tn --reader` under Fenrir, and checks what Fenrir speaks after each.

    fenrir.py FENRIR PROGRAM WALK

Each line of the walk has a key and a regular expression for the beginning of what is spoken. A key speaks the new item
in twelve words at most; one with `+` before it opens a screen, of which Fenrir speaks every row.
"""
import fcntl
import http.server
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

COLUMNS, ROWS = 80, 24
MOST_WORDS, LEAST_KEYS = 12, 60
# Seconds until a key that says nothing is given up, and seconds of silence after which all is said.
PATIENCE, SILENCE = 8, 0.7

NOTES = [
    "# Groceries\n\n- [ ] milk @2020-12-01\n- [x] bread\n\n| fruit | price |\n|-|-|\n| pear | 1 |\n",
    "Meeting with Ana\n\nThe budget must not grow.\n",
    "Reading list\n\nBorges\n",
    "Tmux cheats\n\nSee [[Groceries]]\n\nDetach with d\n",
]
ANSWER = "Ana said that the budget must not grow."

NAMED = {
    "Enter": "\r", "Esc": "\x1b", "Tab": "\t", "Space": " ", "Backspace": "\x7f", "F1": "\x1b[[A",
    "Up": "\x1b[A", "Down": "\x1b[B", "Right": "\x1b[C", "Left": "\x1b[D", "Home": "\x1b[1~", "End": "\x1b[4~",
    "PgUp": "\x1b[5~", "PgDn": "\x1b[6~", "Shift-Tab": "\x1b[Z",
}


def sequence(key):
    """Returns the bytes of a key in the notation of the help."""
    if key in NAMED:
        return NAMED[key]
    if key.startswith("Ctrl-"):
        return chr(ord(key[5].upper()) - 64)
    if key.startswith("Alt-"):
        return "\x1b" + key[4:].lower()
    return key


class Model(http.server.BaseHTTPRequestHandler):
    """A server with one answer, in the protocol of language models."""

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for word in ANSWER.split(" "):
            piece = {"choices": [{"delta": {"content": word + " "}}]}
            self.wfile.write(f"data: {json.dumps(piece)}\n\n".encode())
            self.wfile.flush()
            time.sleep(0.05)
        self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, *arguments):
        pass


class Reader:
    """Fenrir with the program in its terminal."""

    def __init__(self, fenrir, program, environment):
        options = {
            "speech#driver": "debugDriver", "sound#enabled": "False", "screen#driver": "ptyDriver",
            "keyboard#driver": "dummyDriver", "remote#enable": "False", "general#hasAttributes": "False",
            "general#newLinePause": "False", "general#punctuationLevel": "none",
            "general#shell": f"{program} --reader",
            "general#debugFile": environment["HOME"] + "/fenrir.log",
        }
        self.keys, line = pty.openpty()
        fcntl.ioctl(line, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        # The screen and what is spoken come out of one pipe; the speech is told by its prefix.
        self.output, end = os.pipe()
        self.process = subprocess.Popen(
            [sys.executable, fenrir, "-o", ";".join(f"{key}={value}" for key, value in options.items())],
            stdin=line, stdout=end, stderr=subprocess.STDOUT, env=environment, start_new_session=True)
        os.close(end)

    def press(self, key):
        os.write(self.keys, sequence(key).encode())

    def listen(self, wanted):
        """Returns what is spoken until the expression is found and nothing follows, or patience ends."""
        deadline = time.monotonic() + PATIENCE
        spoken, output = "", b""
        while True:
            found = re.search(wanted, spoken) is not None
            wait = SILENCE if found else max(deadline - time.monotonic(), 0)
            if not select.select([self.output], [], [], wait)[0]:
                return spoken
            piece = os.read(self.output, 65536)
            if not piece:
                return spoken
            output += piece
            said = re.findall(
                r"Speech Debug Driver: Speak:(.*?)\r?\nSpeech Debug Driver: --", output.decode(errors="replace"), re.S)
            spoken = " ".join(" ".join(said).split())

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()


def steps(path):
    """Yields the steps of the walk: line number, whether a screen opens, key, expression."""
    for number, line in enumerate(open(path), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        opens = line.startswith("+ ")
        key, _, wanted = line.removeprefix("+ ").partition(" ")
        yield number, opens, key, wanted.strip()


def main(fenrir, program, walk):
    home = tempfile.mkdtemp(prefix="tn-fenrir-")
    environment = {
        "HOME": home, "PATH": os.environ["PATH"], "TERM": "linux", "LANG": "C.UTF-8", "PYTHONUNBUFFERED": "1",
    }
    for name in ["DATA", "STATE", "CONFIG", "CACHE"]:
        environment[f"XDG_{name}_HOME"] = f"{home}/{name.lower()}"
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    os.makedirs(f"{home}/config/takenote")
    with open(f"{home}/config/takenote/config.toml", "w") as file:
        file.write(
            f'[ai]\nchat = "local"\n[ai.provider.local]\n'
            f'url = "http://127.0.0.1:{server.server_port}/v1"\nmodel = "one"\n')
    for note in NOTES:
        subprocess.run([program, "--new"], input=note.encode(), env=environment, check=True, stdout=subprocess.DEVNULL)
    subprocess.run([program, "folder", "add", "Home"], env=environment, check=True, stdout=subprocess.DEVNULL)

    reader = Reader(fenrir, program, environment)
    faults, keys = 0, 0
    try:
        reader.listen("1 of 4")
        for number, opens, key, wanted in steps(walk):
            reader.press(key)
            spoken = reader.listen(wanted)
            words = len([word for word in spoken.split() if any(character.isalnum() for character in word)])
            fault = ""
            if not re.search(wanted, spoken):
                fault = f"does not say {wanted!r}"
            elif not opens and words > MOST_WORDS:
                fault = f"says {words} words"
            keys += 0 if opens else 1
            faults += 1 if fault else 0
            print(f"{number:3} {key:10} {words:3} words: {spoken[:150]}" + (f"\n    FAULT: {fault}" if fault else ""))
    finally:
        reader.end()
    if keys < LEAST_KEYS:
        print(f"the walk has {keys} keys that move or type; {LEAST_KEYS} are the least")
        faults += 1
    print(f"{keys} keys, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
