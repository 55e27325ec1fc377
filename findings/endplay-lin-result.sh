#!/bin/sh
# endplay 0.5.12: a LIN board that was played out, without a claim, gets its result as if North had led every trick.
#
# Each hand below holds one suit whole. South plays 1NT, West leads clubs and takes all thirteen tricks: seven down.
# The reader's contract says "1NTS+6", since it works the tricks out from North's spades leading each time. Only a
# claim (mc) in the file hides it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q endplay==0.5.12
venv/bin/python - > seen <<'PY'
from endplay.config import suppress_unicode
from endplay.parsers import lin

ranks = "AKQJT98765432"
deal = f"md|1SHD{ranks}C,SHDC{ranks},S{ranks}HDC,SH{ranks}DC|"
auction = "sv|o|mb|1N|mb|p|mb|p|mb|p|pg||"
play = "".join(f"pc|C{rank}|pc|S{rank}|pc|H{rank}|pc|D{rank}|pg||" for rank in ranks)
board = lin.loads(f"pn|s,w,n,e|st||{deal}rh||ah|Board 1|{auction}{play}")[0]
with suppress_unicode():
    print(board.contract, *board.play[:4])
PY
cat seen
test "$(cat seen)" = "1NTS+6 CA SA HA DA"
