#!/bin/sh
# Tries the program that people run, given as the argument or built: it is linked in another way than the one that the
# tests drive, without the tables of ICU, so what could need them is tried here.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
tn=${1:-$root/.build/release/tn}
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export HOME="$home" XDG_CONFIG_HOME="$home/config" XDG_DATA_HOME="$home/data" XDG_STATE_HOME="$home/state"

expect() {
    what=$1 expected=$2 found=$3
    [ "$expected" = "$found" ] || { echo "release: $what: expected “$expected”, found “$found”" >&2; exit 1; }
}

# Days and clocks in zones that differ by more than a day, and one that is off by 45 minutes.
id=$(printf 'Straße – Ünïcödé 日本語\n\nfirst\n' | "$tn" --new)
ref=${id##*/}
printf 'second\n' | "$tn" append "$ref" >/dev/null
for zone in Pacific/Kiritimati Pacific/Pago_Pago Asia/Kathmandu America/New_York UTC; do
    # The day may end between the two commands.
    before=$(TZ=$zone date +%F) day=$(TZ=$zone "$tn" list | cut -f2) after=$(TZ=$zone date +%F)
    [ "$day" = "$before" ] || expect "the day in $zone" "$after" "$day"
    expect "a search for today in $zone" 1 "$(TZ=$zone "$tn" search updated:today | wc -l | tr -d ' ')"
    expect "a search for a past day in $zone" "" "$(TZ=$zone "$tn" search updated:2001-02-03 || true)"
done

# Texts: folding of case and of marks, other scripts, dates in front matter, HTML.
expect "a search without case and marks" 1 "$("$tn" search strasse unicode | wc -l | tr -d ' ')"
expect "a search in Japanese" 1 "$("$tn" search 日本語 | wc -l | tr -d ' ')"
printf -- '---\ntitle: Dated\ncreated: 2024-03-04T05:06:07+05:45\ntags: [ärger]\n---\ntext\n' >"$home/dated.md"
"$tn" import "$home/dated.md" >/dev/null
expect "a date in front matter" 1 "$("$tn" search created:2024 | wc -l | tr -d ' ')"
"$tn" show "$ref" | "$tn" render --html | grep -q 日本語
"$tn" show "$ref" | "$tn" render >/dev/null
"$tn" export "$home/out" >/dev/null
"$tn" list --json >/dev/null
"$tn" config >/dev/null

# Somebody without HOME and without a line in /etc/passwd, as in containers: the C library would load modules then.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    chmod 711 "$home"
    cp "$tn" "$home/tn"
    status=0
    setpriv --reuid=54321 --regid=54321 --clear-groups env -i "$home/tn" config >"$home/nobody" || status=$?
    expect "the status for an unknown user" 0 "$status"
    expect "the home folder of an unknown user" 1 "$(grep -c ' /\.config/takenote' "$home/nobody")"
    # The window asks for the size of the log, which the command has left.
    mkdir -m 777 "$home/theirs"
    unknown() { setpriv --reuid=54321 --regid=54321 --clear-groups env -i HOME="$home/theirs" TERM=xterm "$@"; }
    unknown "$home/tn" new Theirs >/dev/null
    mkfifo "$home/keys"
    unknown script -qfec "stty rows 24 cols 80; exec '$home/tn'" "$home/theirs/screen" <"$home/keys" >/dev/null &
    window=$!
    exec 3>"$home/keys"
    tries=0
    until grep -q Theirs "$home/theirs/screen" 2>/dev/null || ! kill -0 $window 2>/dev/null || [ $tries = 300 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    (printf q >&3) 2>/dev/null || true
    exec 3>&-
    status=0
    wait $window || status=$?
    expect "the status of an unknown user's window" 0 "$status"
    rm -r "$home/tn" "$home/theirs"
fi

# A chroot without /proc, which a program without shared libraries needs nothing else for.
if [ "$(id -u)" = 0 ] && command -v chroot >/dev/null && ! ldd "$tn" >/dev/null 2>&1; then
    mkdir "$home/jail"
    cp "$tn" "$home/jail/tn"
    jailed() { env -i HOME=/ TERM=xterm "$(command -v chroot)" "$home/jail" /tn "$@"; }
    jailed new Theirs >/dev/null
    expect "a list without /proc" 1 "$(jailed list | grep -c Theirs)"
    rm -r "$home/jail"
else
    echo "release: not tried without /proc, which needs root, chroot and a program without shared libraries"
fi

"$tn" backup >/dev/null
"$tn" doctor >/dev/null
expect "no note is lost" 2 "$("$tn" list | wc -l | tr -d ' ')"
echo "release: $("$tn" --version), $(wc -c <"$tn" | tr -d ' ') bytes"
