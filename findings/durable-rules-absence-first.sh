#!/bin/sh
# durable-rules 2.0.28: a rule whose first pattern says that there is no such fact never fires.
#
# "No card has been played, and play goes on" and "play goes on, and no card has been played" say the same. Told that
# play goes on, with no card about, only the second fires. Nothing is refused when the rules are loaded. Seen: ['last'].
# Python 3.11 and a C compiler are needed, as the package is built where it is installed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q durable-rules==2.0.28
venv/bin/python - > seen <<'PY'
from durable.lang import assert_fact, c, m, none, ruleset, when_all

fired = []
with ruleset("play"):

    @when_all(none(m.kind == "card"), c.play << m.kind == "play")
    def first(context):
        fired.append("first")

    @when_all(c.play << m.kind == "play", none(m.kind == "card"))
    def last(context):
        fired.append("last")


assert_fact("play", {"kind": "play"})
print(fired)
PY
cat seen
test "$(cat seen)" = "['last']"
