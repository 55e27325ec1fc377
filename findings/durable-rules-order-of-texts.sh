#!/bin/sh
# durable-rules 2.0.28 orders texts by their closing quote: "ab" counts as greater than "ab c".
#
# A rule asks for facts whose name is greater than "ab c". "ab" is the beginning of it and so comes before it in any
# order of texts, yet the rule fires: compared is what stands in JSON, where the quote that ends "ab" is greater than
# a blank. "abb", greater by any order, fires as it should, and "aa" does not. Seen: ['ab', 'abb']. Python 3.11 and a
# C compiler are needed, as the package is built where it is installed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q durable-rules==2.0.28
venv/bin/python - > seen <<'PY'
from contextlib import suppress

from durable.engine import MessageNotHandledException
from durable.lang import assert_fact, m, ruleset, when_all

greater = []
with ruleset("names"):

    @when_all(m.name > "ab c")
    def noted(context):
        greater.append(context.m.name)


for name in ("ab", "abb", "aa"):
    with suppress(MessageNotHandledException):
        assert_fact("names", {"name": name})
print(greater)
PY
cat seen
test "$(cat seen)" = "['ab', 'abb']"
