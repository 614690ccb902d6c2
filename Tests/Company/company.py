#!/usr/bin/env python3
"""Windows on one notebook that are killed at random; run.sh says how."""
import collections
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

WORD = re.compile(r"\b[wa]\d+t\d{5}\b")
SHARED = "Shared"


class World:
    """The notebook, the tmux server that has the windows, and the program's own folders."""

    def __init__(self, program, folder):
        self.program, self.folder, self.socket = program, folder, str(folder / "tmux")
        self.environment = {
            "HOME": str(folder), "PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8",
            "XDG_DATA_HOME": str(folder / "data"), "XDG_STATE_HOME": str(folder / "state"),
            "XDG_CONFIG_HOME": str(folder / "config"), "EDITOR": "true",
        }

    def tmux(self, *words):
        return subprocess.run(
            ["tmux", "-S", self.socket, "-f", "/dev/null", *words], env=self.environment, capture_output=True,
            text=True).stdout

    def tn(self, *words, text=""):
        return subprocess.run(
            [self.program, *words], env=self.environment, input=text, capture_output=True, text=True, timeout=120)


class Window:
    """The program in a pane of tmux, which keeps what was drawn last when the program is killed."""

    def __init__(self, world, number, chance, line):
        self.world, self.number, self.chance, self.line = world, number, chance, line
        self.name, self.typed, self.shown = f"w{number}", [], set()
        self.start()

    def start(self):
        self.world.tmux("kill-session", "-t", self.name)
        self.note = self.chance.choice([SHARED, SHARED, f"Own{self.number}"])
        self.world.tmux(
            "new-session", "-d", "-s", self.name, "-x", "150", "-y", "50", f"exec '{self.world.program}'")
        self.wait("the list", lambda screen: SHARED in screen)
        self.press("C-o")
        self.wait("the picker", lambda screen: "Go to" in screen)
        self.write(self.note)
        self.press("Enter")
        mark = "sep0" if self.note == SHARED else f"own{self.number}"
        self.wait("the note", lambda screen: "Go to a note" not in screen and mark in screen)
        self.press("M-3")
        self.go()

    def wait(self, what, condition):
        for _ in range(400):
            screen = self.look()
            if condition(screen):
                return
            time.sleep(0.05)
        raise SystemExit(f"company: waited in vain for {what} of window {self.number}:\n{screen}")

    def look(self):
        screen = self.world.tmux("capture-pane", "-p", "-J", "-t", self.name)
        self.shown |= set(WORD.findall(screen))
        return screen

    def press(self, key):
        self.world.tmux("send-keys", "-t", self.name, key)

    def write(self, text):
        self.world.tmux("send-keys", "-l", "-t", self.name, text)

    def go(self):
        """To the end of its own line, or of the line that all share."""
        self.press("C-Home")
        for _ in range(4 + 4 * self.line if self.note == SHARED else 2):
            self.press("Down")
        self.press("End")

    def type(self):
        words = [f"w{self.number}t{len(self.typed) + more:05d}" for more in range(self.chance.randint(1, 5))]
        self.typed += words
        self.write(" " + " ".join(words))

    def process(self):
        answer = self.world.tmux("display", "-p", "-t", self.name, "#{pane_pid} #{pane_dead}").split()
        return int(answer[0]) if len(answer) == 2 and answer[1] == "0" else None

    def kill(self):
        process = self.process()
        if process:
            os.kill(process, signal.SIGKILL)
        while self.process():
            time.sleep(0.01)
        self.look()

    def stop(self):
        process = self.process()
        if not process:
            return
        os.kill(process, signal.SIGSTOP)
        self.type()
        time.sleep(self.chance.random())
        os.kill(process, signal.SIGCONT)


def act(world, windows, chance, appended, counts):
    window, what = chance.choice(windows), chance.random()
    if what < 0.62:
        window.type()
        if chance.random() < 0.08:
            # Between the typed word, its frame and its save.
            time.sleep(chance.random() * 0.05)
            window.kill()
            counts["kills"] += 1
            window.start()
    elif what < 0.72:
        window.look()
    elif what < 0.77:
        word = f"a0t{counts['appends']:05d}"
        counts["appends"] += 1
        done = world.tn("append", chance.choice([SHARED, "Own0", "Own1"]), word)
        if done.returncode == 0:
            appended.append(word)
    elif what < 0.82:
        window.kill()
        counts["kills"] += 1
        time.sleep(chance.random() * 0.5)
        window.start()
    elif what < 0.86:
        window.stop()
        counts["stops"] += 1
    elif what < 0.90:
        window.go()
    else:
        time.sleep(chance.random() * 0.3)


def judge(world, windows, appended):
    """Compares the notebook with what the screens have shown; returns the number of faults."""
    world.tn("list")
    export = world.folder / "export.json"
    done = world.tn("export", str(export), "--json")
    if done.returncode:
        raise SystemExit(f"company: {done.stderr}")
    found = collections.Counter()
    for note in json.loads(export.read_text())["notes"]:
        found.update(WORD.findall(note["content"]))
    faults = 0
    for window in windows:
        lost = [word for word in window.typed if word in window.shown and not found[word]]
        faults += len(lost)
        print(f"window {window.number}: {len(window.typed)} typed, {len(window.shown)} shown, lost: {lost or 'none'}")
    lost = [word for word in appended if not found[word]]
    twice = [word for word, count in found.items() if count > 1]
    print(f"appended: {len(appended)}, lost: {lost or 'none'}; twice: {twice or 'none'}")
    doctor = world.tn("doctor")
    if doctor.returncode:
        print(doctor.stdout)
    return faults + len(lost) + len(twice) + doctor.returncode


def main(program):
    seed = int(os.environ.get("TN_SEED") or random.randrange(1_000_000))
    seconds = float(os.environ.get("TN_COMPANY_SECONDS", "60"))
    count = int(os.environ.get("TN_COMPANY_WINDOWS", "5"))
    isSame = os.environ.get("TN_COMPANY_LINE") == "same"
    chance, folder = random.Random(seed), pathlib.Path(tempfile.mkdtemp(prefix="tn-company-"))
    world = World(os.path.abspath(program), folder)
    lines = "\n\n".join(f"sep{number}\n\nline{number}" for number in range(count))
    world.tn("--new", text=f"{SHARED}\n\n{lines}\n\nend\n")
    for number in range(max(count, 2)):
        world.tn("--new", text=f"Own{number}\n\nown{number}\n")
    world.tmux("new-session", "-d", "-s", "base", "sleep 100000")
    world.tmux("set", "-g", "remain-on-exit", "on")
    world.tmux("set", "-g", "escape-time", "5")
    appended, counts = [], collections.Counter()
    try:
        windows = [Window(world, number, chance, 0 if isSame else number) for number in range(count)]
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            act(world, windows, chance, appended, counts)
        for window in windows:
            window.kill()
        faults = judge(world, windows, appended)
    finally:
        world.tmux("kill-server")
    print(f"seed {seed}: {counts['kills']} kills, {counts['stops']} stops, {faults} faults")
    if faults:
        raise SystemExit(f"company: see {folder}")
    shutil.rmtree(folder)


main(sys.argv[1])
