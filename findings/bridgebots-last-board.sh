#!/bin/sh
# bridgebots 0.0.12 takes the last board of a PBN file apart into letters where no empty line follows it.
#
# An empty line stands between the boards of a PBN file; none is asked for after the last. Read so, the calls "Pass 3NT
# Pass Pass Pass" of the only board become 19 calls of one letter each, and its play is dropped with a warning in the
# log. With one more empty line at the end there are 5 calls and 8 cards. Seen: "19 0", then "5 8".
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q bridgebots==0.0.12
venv/bin/python - > seen 2> warned <<'PY'
from pathlib import Path

from bridgebots import parse_pbn

board = """[Event ""]
[Date ""]
[Board "1"]
[West "W"]
[North "N"]
[East "E"]
[South "S"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:K74.J6.T543.Q432 962.Q8.AKQJ96.A7 JT8.AK9752..T986 AQ53.T43.872.KJ5"]
[Scoring ""]
[Declarer "E"]
[Contract "3NT"]
[Result "9"]
[Auction "N"]
Pass 3NT Pass Pass
Pass
[Play "S"]
H7 H3 HJ HQ
C6 D2 D3 DA
"""
for end in ("", "\n"):
    Path("board.pbn").write_text(board + end)
    record = parse_pbn(Path("board.pbn"))[0].board_records[0]
    print(len(record.raw_bidding_record), len(record.play_record))
PY
cat seen warned
test "$(cat seen)" = "19 0
5 8"
