#!/bin/sh
# The numbers of the laws of bridge, written bare in YAML, are texts for PyYAML 6.0.3 and numbers for yaml 2.8.2 of npm.
#
# Law 47E1 is a text by YAML 1.1, where a number with an exponent needs a point and a sign, and by YAML 1.2 it is 47
# with one zero. So a list of laws made by one tool and read by the other says 470 instead of a law, and an editor that
# checks by a schema calls a right file wrong. Laws like 27B1 or 64A are texts for both. Seen: ["47E1","64A"] against
# [470,"64A"]. Node and npm are needed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q pyyaml==6.0.3
npm install --silent --no-audit --no-fund yaml@2.8.2 > /dev/null
printf 'law: [47E1, 64A]\n' > law.yaml
venv/bin/python -c 'import json, yaml; print(json.dumps(yaml.safe_load(open("law.yaml"))["law"], separators=(",", ":")))' > seen
node -e 'const { parse } = require("yaml"); console.log(JSON.stringify(parse(require("fs").readFileSync("law.yaml", "utf8")).law))' >> seen
cat seen
test "$(cat seen)" = '["47E1","64A"]
[470,"64A"]'
