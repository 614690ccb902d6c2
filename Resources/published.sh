# Sourced where there is no Swift: the program as it was published.
#
#   published_program     prints the path of the release's program, which it fetches and verifies if need be; fails with 1
#                         where none is published for this version and machine, with 65 where what came is not it

published_program() {
    [ -n "$release_address" ] || return 1
    version=$(tn_version)
    name="tn-$version-$(release_system)"
    folder="$root/.build/published"
    if [ ! -x "$folder/$name/bin/tn" ]; then
        command -v curl >/dev/null 2>&1 || { need curl curl curl; install_missing; }
        # A function in a condition goes on after a failure, so each step says what then.
        mkdir -p "$folder" && fetched=$(mktemp -d "$folder/new.XXXXXX") || return 73
        status=0
        fetch_release "$name" "$fetched" || status=$?
        # Moved when it is whole, so that a program that stands there is the one that was verified.
        if [ "$status" = 0 ]; then
            rm -rf "${folder:?}/$name"
            mv "$fetched/$name" "$folder/$name" || status=73
        fi
        rm -rf "$fetched"
        [ "$status" = 0 ] || return "$status"
    fi
    echo "$folder/$name/bin/tn"
}

# Fetches the archive NAME into FOLDER, verifies and unpacks it.
fetch_release() {
    file="$1.tar.gz"
    from="$release_address/$version"
    get "$from/SHA256SUMS" "$2/SHA256SUMS" || {
        echo "No release of tn $version was found at $release_address." >&2
        return 1
    }
    expected=$(awk -v file="$file" '$2 == file || $2 == "*" file { print $1 }' "$2/SHA256SUMS")
    # A list without this file is one of other machines.
    [ -n "$expected" ] || { echo "There is no release of tn $version for this machine." >&2; return 1; }
    echo "Fetching tn $version from $release_address." >&2
    get "$from/$file" "$2/$file" || { echo "run.sh: $from/$file could not be fetched" >&2; return 69; }
    found=$(sha256_of "$2/$file")
    if [ "$found" != "$expected" ]; then
        echo "run.sh: $file is not what was published (its checksum is $found, expected $expected), so it was not used" >&2
        return 65
    fi
    tar -xzf "$2/$file" -C "$2" || { echo "run.sh: $file could not be unpacked" >&2; return 65; }
    [ -x "$2/$1/bin/tn" ] || { echo "run.sh: there is no program in $file" >&2; return 65; }
}

# Addresses of https and files; redirections stay within them.
get() {
    case "$1" in
        https://* | file://*) ;;
        *) echo "run.sh: $1 is not an address of https" >&2; return 64 ;;
    esac
    curl --proto '=https,file' --tlsv1.2 --fail --silent --show-error --location --retry 2 --output "$2" "$1" >&2
}

sha256_of() { if command -v sha256sum >/dev/null 2>&1; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d' ' -f1; }
