#!/usr/bin/env python3
"""Finds out what a program is made of, for a release: collects the licences and writes an SBOM (SPDX 2.3, JSON).

    python3 contents.py --program FILE --resolved Package.resolved --checkouts DIR --version V --commit C --name NAME
                        --licences DIR --sbom FILE --copyright FILE

Packages come from Package.resolved, the libraries of the system and of Swift from the symbols that the program defines.
The program must have its symbols still. What has no text of a licence ends it with status 65.
"""
import argparse
import datetime
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import uuid

# What is linked into the program if it defines the symbol: its name, Debian's package, its licence.
LIBRARIES = [
    ("__libc_start_main", "glibc", "libc6-dev", "LGPL-2.1-or-later"),
    ("_ZSt9terminatev", "libstdc++", "libstdc++-{gcc}-dev", "GPL-3.0-or-later WITH GCC-exception-3.1"),
    ("_Unwind_RaiseException", "libgcc", "libgcc-{gcc}-dev", "GPL-3.0-or-later WITH GCC-exception-3.1"),
    ("sqlite3_libversion", "sqlite", "libsqlite3-dev", "blessing"),
    ("jpeg_std_error", "libjpeg-turbo", "libjpeg62-turbo-dev", "IJG AND BSD-3-Clause AND Zlib"),
    ("png_create_read_struct", "libpng", "libpng-dev", "libpng-2.0"),
    ("inflateInit2_", "zlib", "zlib1g-dev", "Zlib"),
    ("xmlParseMemory", "libxml2", "libxml2-dev", "MIT"),
    ("curl_easy_init", "curl", "libcurl4-openssl-dev", "curl"),
]
# Libraries of others that packages of Swift carry without a text of their licence: package, name; its licence.
CARRIED = [
    ("Yams", "libyaml", "MIT"),
    ("TOMLKit", "tomlplusplus", "MIT"),
    ("swift-crypto", "boringssl", "Apache-2.0"),
]
TEXTS = pathlib.Path(__file__).parent / "licences"
LICENCE_FILE = re.compile(r"^(LICEN[CS]E|NOTICE|COPYING|THIRD-PARTY)([-_.].*)?$", re.IGNORECASE)


def main():
    options = arguments()
    made_of = packages(options)
    made_of += carried(made_of) + swift(options) + libraries(options)
    without = [part["name"] for part in made_of if not part["texts"]]
    if without:
        sys.exit(f"release.sh: no text of a licence was found for {', '.join(without)}")
    write_licences(made_of, pathlib.Path(options.licences), options.copyright)
    pathlib.Path(options.sbom).write_text(json.dumps(sbom(made_of, options), indent=2, sort_keys=True) + "\n")


def arguments():
    parser = argparse.ArgumentParser()
    for name in ["program", "resolved", "checkouts", "version", "commit", "name", "licences", "sbom", "copyright"]:
        parser.add_argument("--" + name, required=True)
    return parser.parse_args()


def output(*command):
    """What a program prints, or nothing where it is missing or fails."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


def defined_symbols(program):
    symbols = set()
    for line in output("nm", "--defined-only", program).splitlines():
        symbols.add(line.split()[-1].split("@")[0])
    if not symbols:
        sys.exit(f"release.sh: {program} has no symbols any more, so nobody can tell what it is made of")
    return symbols


def packages(options):
    """The packages of Swift, with every licence of their sources: some carry libraries of others."""
    parts = []
    for pin in json.load(open(options.resolved))["pins"]:
        folder = re.sub(r"\.git$", "", pin["location"].rsplit("/", 1)[-1])
        checkout = pathlib.Path(options.checkouts) / folder
        texts = []
        if checkout.is_dir():
            head = output("git", "-C", str(checkout), "rev-parse", "HEAD").strip()
            if head and head != pin["state"]["revision"]:
                sys.exit(f"release.sh: the source of {folder} is at {head}, not at {pin['state']['revision']}")
            for path in sorted(checkout.rglob("*")):
                inside = path.relative_to(checkout)
                if path.is_file() and LICENCE_FILE.match(path.name) and not is_test(inside):
                    texts.append((str(inside).replace("/", "-"), path.read_text(errors="replace")))
        parts.append({
            "name": folder, "version": pin["state"]["version"], "texts": texts, "licence": licence_of(texts),
            "source": f"git+{pin['location']}@{pin['state']['revision']}",
            "purl": f"pkg:swift/{re.sub(r'^https://|[.]git$', '', pin['location'])}@{pin['state']['version']}",
        })
    return parts


def carried(parts):
    """What packages carry of others; the texts of these licences are kept beside this script."""
    found = []
    for package, name, licence in CARRIED:
        part = next((part for part in parts if part["name"] == package), None)
        if not part:
            continue
        own = TEXTS / f"{name}.txt"
        # BoringSSL's licence is the one of the package that carries it.
        texts = [("LICENSE.txt", own.read_text())] if own.exists() else part["texts"]
        found.append({
            "name": name, "version": f"as in {package} {part['version']}", "texts": texts, "licence": licence,
            "source": part["source"], "purl": f"pkg:generic/{name}",
        })
    return found


def is_test(path):
    return any(part.lower() in ("tests", "benchmarks", "examples", ".build", "documentation") for part in path.parts)


def licence_of(texts):
    """The licence of a package by its main text."""
    main_text = next((text for name, text in texts if "-" not in name and name.upper().startswith("LICEN")), "")
    if "Runtime Library Exception" in main_text:
        return "Apache-2.0 WITH Swift-exception"
    if "Apache License" in main_text:
        return "Apache-2.0"
    if "Permission is hereby granted, free of charge" in main_text:
        return "MIT"
    return "NOASSERTION"


def swift(options):
    """Swift's own libraries: the standard library, Foundation and its ICU, Dispatch."""
    symbols = defined_symbols(options.program)
    if "swift_retain" not in symbols:
        return []
    compiler = shutil.which("swift")
    share = pathlib.Path(os.path.realpath(compiler)).parent.parent / "share/swift" if compiler else None
    licence = share / "LICENSE.txt" if share else None
    texts = [("LICENSE.txt", licence.read_text())] if licence and licence.exists() else []
    found = re.search(r"Swift version (\S+)", output("swift", "--version"))
    version = found.group(1) if found else "unknown"
    parts = [{
        "name": "swift", "version": version, "texts": texts, "licence": "Apache-2.0 WITH Swift-exception",
        "source": "NOASSERTION", "purl": f"pkg:github/swiftlang/swift@{version}",
    }]
    if "swift_ucal_open" in symbols:
        tables = [match.group(1) for match in (re.match(r"^icudt(\d+)_dat$", name) for name in symbols) if match]
        texts = [("LICENSE.txt", (TEXTS / "icu.txt").read_text())]
        parts.append({
            "name": "icu", "version": tables[0] if tables else "unknown", "texts": texts, "licence": "Unicode-3.0",
            "source": "NOASSERTION", "purl": f"pkg:github/swiftlang/swift-foundation-icu@{version}",
        })
    return parts


def libraries(options):
    """The libraries of the system that the program holds."""
    symbols = defined_symbols(options.program)
    gcc = output("gcc", "-dumpversion").strip().split(".")[0]
    parts = []
    for symbol, name, package, licence in LIBRARIES:
        if symbol not in symbols:
            continue
        package = package.format(gcc=gcc)
        version = output("dpkg-query", "-W", "-f=${Version}", package) or "unknown"
        text = pathlib.Path("/usr/share/doc") / package / "copyright"
        parts.append({
            "name": name, "version": version, "licence": licence, "source": "NOASSERTION",
            "texts": [("copyright", text.read_text(errors="replace"))] if text.exists() else [],
            "purl": f"pkg:deb/debian/{package}@{version}",
        })
    return parts


def write_licences(made_of, folder, copyright_file):
    """A file for each text, and one of Debian's form that names them."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/",
        "Upstream-Name: tn", "Comment:", " The program holds the libraries that are named below; the whole text of each",
        " licence is in /usr/share/doc/tn/licences.", "",
    ]
    for part in made_of:
        for name, text in part["texts"]:
            (folder / f"{part['name']}-{name}").write_text(text)
        lines += [f"Files: {part['name']}", f"Copyright: see licences/{part['name']}-*", f"License: {part['licence']}", ""]
    pathlib.Path(copyright_file).write_text("\n".join(lines))


def sbom(made_of, options):
    """What the program is made of, in the form of SPDX 2.3; equal programs have equal documents."""
    digest = hashlib.sha256(pathlib.Path(options.program).read_bytes()).hexdigest()
    moment = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    program = {
        "SPDXID": "SPDXRef-tn", "name": "tn", "versionInfo": options.version, "downloadLocation": "NOASSERTION",
        "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION",
        "filesAnalyzed": False, "primaryPackagePurpose": "APPLICATION",
        "comment": f"Built of commit {options.commit}.",
        "checksums": [{"algorithm": "SHA256", "checksumValue": digest}],
    }
    entries = [program]
    relations = [{
        "spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-tn"}]
    for part in made_of:
        identity = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", part["name"])
        entries.append({
            "SPDXID": identity, "name": part["name"], "versionInfo": part["version"],
            "downloadLocation": part["source"], "filesAnalyzed": False, "copyrightText": "NOASSERTION",
            "licenseConcluded": "NOASSERTION", "licenseDeclared": part["licence"],
            "externalRefs": [{
                "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": part["purl"]}],
        })
        relations.append({
            "spdxElementId": "SPDXRef-tn", "relationshipType": "STATIC_LINK", "relatedSpdxElement": identity})
    identity = uuid.uuid5(uuid.NAMESPACE_OID, digest + json.dumps(entries, sort_keys=True))
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": options.name,
        "documentNamespace": f"urn:uuid:{identity}", "documentDescribes": ["SPDXRef-tn"],
        "creationInfo": {
            "created": moment.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: Resources/packaging/contents.py"]},
        "packages": entries, "relationships": relations,
    }


if __name__ == "__main__":
    main()
