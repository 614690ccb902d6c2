#!/usr/bin/env python3
"""Uses a tn at random for a while, and looks at what it holds; run.sh says how."""
import fcntl
import os
import pathlib
import pty
import random
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

# The share of the time in which caches fill, which is not looked at.
WARMING = 0.25
# What the later half may hold more than the earlier one: noise of the allocator.
GROWTH_SHARE, GROWTH_KB = 0.10, 4_096
NOTES = 200
WORDS = "pears labyrinth Ana budget 世界 stand-up tram Ficciones eggs über library 👩‍🚀 socket winter".split()


class Window:
    """The program in a terminal of its own, which reads what it draws and throws it away."""

    def __init__(self, program, environment):
        self.size = (32, 120)
        self.drawn = 0
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execve(program, ["tn"], environment)
        self.resize(*self.size)

    def resize(self, rows, columns):
        self.size = (rows, columns)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def press(self, keys):
        os.write(self.terminal, keys.encode() if isinstance(keys, str) else keys)
        self.settle()

    def settle(self, silence=0.03, longest=20.0):
        """Reads until nothing was drawn for `silence` seconds; whoever never falls silent is busy for ever."""
        end = time.monotonic() + longest
        while select.select([self.terminal], [], [], silence)[0]:
            try:
                data = os.read(self.terminal, 65_536)
            except OSError:
                data = b""
            if not data:
                raise SystemExit("soak: the window has ended")
            self.answer(data)
            self.drawn += len(data)
            if time.monotonic() > end:
                raise SystemExit("soak: the window draws without an end")

    def answer(self, data):
        """What a terminal answers to the questions that all programs ask: its kind, and where the cursor is."""
        for question, reply in ((b"\x1b[c", b"\x1b[?62c"), (b"\x1b[6n", b"\x1b[1;1R")):
            if question in data:
                os.write(self.terminal, reply)

    def facts(self):
        """Resident and anonymous memory in KB, open files, threads."""
        status = dict(line.split(":", 1) for line in open(f"/proc/{self.process}/status") if ":" in line)
        kb = lambda name: int(status[name].split()[0])
        return (kb("VmRSS"), kb("RssAnon"), len(os.listdir(f"/proc/{self.process}/fd")), kb("Threads"))

    def quit(self):
        """Ends the window; Ctrl-Q closes what lies over the panes first, so it is pressed until the window has ended."""
        end = time.monotonic() + 60
        self.last = bytearray()
        pressed = 0.0
        while time.monotonic() < end:
            if time.monotonic() - pressed > 2:
                os.write(self.terminal, b"\x11")
                pressed = time.monotonic()
            if select.select([self.terminal], [], [], 0.1)[0]:
                try:
                    self.last += os.read(self.terminal, 65_536)
                except OSError:
                    pass
            done, status = os.waitpid(self.process, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
        os.kill(self.process, signal.SIGKILL)
        raise SystemExit(f"soak: the window does not end; it drew {bytes(self.last[-2_000:])!r}")


class Soak:
    def __init__(self, program, folder, chance):
        self.program, self.chance, self.steps, self.tokens = program, chance, {}, {}
        self.environment = {
            "HOME": folder, "PATH": os.environ["PATH"], "TERM": "xterm-256color", "COLORTERM": "truecolor",
            "LANG": "C.UTF-8", "XDG_DATA_HOME": folder + "/data", "XDG_STATE_HOME": folder + "/state",
            "XDG_CONFIG_HOME": folder + "/config", "TMPDIR": folder, "EDITOR": "true", "VISUAL": "true",
        }
        self.made = 0

    def tn(self, *words, text=None, allowed=(0, 1)):
        done = subprocess.run(
            [self.program, *words], env=self.environment, input=text or "", capture_output=True, text=True, timeout=120)
        if done.returncode not in allowed:
            raise SystemExit(f"soak: tn {' '.join(words)} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def words(self, count):
        return " ".join(self.chance.choice(WORDS) for _ in range(count))

    def begin(self):
        self.tn("folder", "add", "Work")
        for number in range(NOTES):
            text = f"Seed {number}\n\n" + "\n".join(self.words(12) for _ in range(self.chance.randint(1, 40))) + "\n"
            self.tn("--new", "--folder", "Work" if number % 3 == 0 else "Inbox", text=text)
        self.window = Window(self.program, self.environment)
        self.window.settle(silence=1.5)

    # MARK: Steps

    def to_list(self):
        """Out of whatever is open, by as many Escs as it takes; each alone, since Esc and a letter are Alt."""
        for _ in range(3):
            self.window.press("\x1b")
            time.sleep(0.06)
        self.window.press("\x1b2")

    def write(self):
        """A note that is begun in the window; its token must be found at the end."""
        self.to_list()
        self.made += 1
        token = f"token{self.made:06d}x"
        self.window.press("\x0e")
        self.window.press(f"{token} {self.words(4)}\r\r")
        for _ in range(self.chance.randint(1, 5)):
            self.window.press(f"- {self.words(6)}\r")
        self.tokens[token] = True
        # As many notes as before: the oldest of these goes for ever.
        if len(self.tokens) > 60:
            oldest = next(iter(self.tokens))
            del self.tokens[oldest]
            found = self.tn("search", oldest, "--limit", "1").split("\t")[0]
            if found:
                self.tn("trash", found)
                if self.made % 20 == 0:
                    self.tn("empty-trash", "--yes")

    def edit(self):
        """At random, so in a note that nothing is expected of."""
        self.go_to()
        for key in self.chance.choices(
                ["\x1b[B", "\x1b[A", "\x1b[C", "\x1b[F", "\x1b[H", "\x1b[6~", "x", " ", "\r", "\x7f", "\x1a", "\x19"], k=20):
            self.window.press(key)

    def search(self):
        self.to_list()
        self.window.press("/")
        for letter in self.chance.choice(WORDS)[: self.chance.randint(1, 5)]:
            self.window.press(letter)
        self.window.press(self.chance.choice(["\x1b", "\r", "\x1b[B"]))

    def walk(self):
        self.to_list()
        for key in self.chance.choices(["j", "k", "g", "G", "\x1b[6~", "\x1b[5~", "h"], k=12):
            self.window.press(key)

    def go_to(self):
        self.to_list()
        self.window.press("\x0f")
        self.window.press(f"Seed {self.chance.randrange(NOTES)}")
        self.window.press("\r")

    def look(self):
        self.to_list()
        self.window.press(self.chance.choice(["?", "\x10", "D", "s", "s", "\x1b[20~", "\x1b[21~", "\x0c", "p"]))

    def find(self):
        self.to_list()
        self.window.press("\r")
        self.window.press("\x06")
        self.window.press(self.chance.choice(WORDS))
        self.window.press("\x1bOR")

    def resize(self):
        self.window.resize(*self.chance.choice([(24, 80), (40, 120), (12, 40), (5, 20), (50, 200), (32, 100)]))
        self.window.settle()

    def others(self):
        """Another program on the same notebook."""
        if self.chance.random() < 0.5:
            self.tn("append", f"Seed {self.chance.randrange(NOTES)}", self.words(5), allowed=(0, 65, 66))
        else:
            self.tn("list", "--limit", "5")

    def step(self):
        kind = self.chance.choices(
            [self.write, self.edit, self.search, self.walk, self.go_to, self.look, self.find, self.resize, self.others],
            weights=[10, 30, 15, 15, 10, 8, 8, 2, 2])[0]
        self.steps[kind.__name__] = self.steps.get(kind.__name__, 0) + 1
        kind()

    # MARK: What is looked at

    def finish(self):
        status = self.window.quit()
        if status != 0:
            raise SystemExit(f"soak: the window ended with {status}")
        lost = [token for token in self.tokens if not self.tn("search", token)]
        if lost:
            raise SystemExit(f"soak: {len(lost)} notes are lost: {' '.join(lost[:5])}")
        self.tn("doctor", allowed=(0,))


def flat(name, values, share, least, unit):
    """Whether the later half holds no more than the earlier one; both are medians, since work comes and goes."""
    half = len(values) // 2
    before, after = statistics.median(values[:half]), statistics.median(values[half:])
    print(f"soak: {name} {before:,.0f} {unit}, then {after:,.0f} {unit} (at most {max(values):,.0f})")
    return after <= before + max(before * share, least)


def main():
    program = os.path.abspath(sys.argv[1])
    minutes = float(os.environ.get("TN_SOAK_MINUTES", "2"))
    seed = int(os.environ.get("TN_SEED", "1"))
    if not pathlib.Path("/proc/self/status").exists():
        raise SystemExit("soak: memory and handles are read from /proc, which is not here")
    folder = tempfile.mkdtemp(prefix="tn-soak-")
    soak = Soak(program, folder, random.Random(seed))
    try:
        soak.begin()
        start, facts = time.monotonic(), []
        seconds = minutes * 60
        while time.monotonic() - start < seconds:
            soak.step()
            if time.monotonic() - start > seconds * WARMING:
                facts.append(soak.window.facts())
        soak.finish()
        done = ", ".join(f"{count} {name}" for name, count in sorted(soak.steps.items()))
        print(f"soak: {minutes:g} minutes with seed {seed}: {done}; {soak.window.drawn:,} bytes drawn")
        if len(facts) < 8:
            raise SystemExit("soak: too few steps to tell anything")
        rss, anonymous, handles, threads = zip(*facts)
        are_flat = [
            flat("memory", rss, GROWTH_SHARE, GROWTH_KB, "KB"),
            flat("of it anonymous", anonymous, GROWTH_SHARE, GROWTH_KB, "KB"),
            flat("open files", handles, 0, 1, ""),
            flat("threads", threads, 0, 2, ""),
        ]
        if not all(are_flat):
            raise SystemExit("soak: what the window holds grows")
    finally:
        window = getattr(soak, "window", None)
        if window:
            try:
                os.kill(window.process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        if "TN_KEEP" not in os.environ:
            shutil.rmtree(folder, ignore_errors=True)
        else:
            print(f"soak: kept in {folder}")


if __name__ == "__main__":
    main()
