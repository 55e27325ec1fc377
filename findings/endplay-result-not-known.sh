#!/bin/sh
# endplay 0.5.12: a PBN result that is not known, "?", becomes no trick at all.
#
# "?" is PBN's own sign for what is not known. The contract read from 3NT with [Result "?"] is nine down, the same as
# from [Result "0"], and writing the board again writes that 0 as if it had happened. Seen: "-9 -9", then the tag.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q endplay==0.5.12
venv/bin/python - > seen <<'PY'
from endplay.parsers import pbn

tags = {"Event": "", "Site": "", "Date": "", "Board": "1", "West": "", "North": "", "East": "", "South": ""}
tags |= {"Dealer": "N", "Vulnerable": "None", "Declarer": "E", "Contract": "3NT"}
tags |= {"Deal": "N:K74.J6.T543.Q432 962.Q8.AKQJ96.A7 JT8.AK9752..T986 AQ53.T43.872.KJ5"}
text = "".join(f'[{tag} "{value}"]\n' for tag, value in tags.items())
boards = [pbn.loads(f'{text}[Result "{result}"]\n')[0] for result in "?0"]
print(*(board.contract.result for board in boards))
print(*(line for line in pbn.dumps(boards[:1]).splitlines() if line.startswith("[Result")))
PY
cat seen
test "$(cat seen)" = '-9 -9
[Result "0"]'
