#!/bin/sh
# bridgebots 0.0.12 drops the whole play of a board in which PBN's own mark of a revoke, ^R, stands.
#
# PBN 2.1 puts ^R before a card by which a player revoked. With the mark before one card of eight the board is given
# with an empty play, and a warning in the log; without it there are eight cards. Seen: "8", then "0". The boards a
# director would look for are the ones that lose their play.
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
C6 D2 MARKC2 DA

"""
for mark in ("", "^R "):
    Path("board.pbn").write_text(board.replace("MARK", mark))
    print(len(parse_pbn(Path("board.pbn"))[0].board_records[0].play_record))
PY
cat seen warned
test "$(cat seen)" = "8
0"
