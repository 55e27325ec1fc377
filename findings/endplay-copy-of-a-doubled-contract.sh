#!/bin/sh
# endplay 0.5.12: Contract.copy() forgets that the contract was doubled, and the copy is equal to what it was made of.
#
# Four spades doubled and just made, not vulnerable, is 590. Its copy is four spades undoubled, 420, and == between the
# two says True. Seen: "590 420 True". Whoever keeps a copy before a result is adjusted scores the wrong contract.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q endplay==0.5.12
venv/bin/python - > seen <<'PY'
from endplay.types import Contract, Denom, Penalty, Player, Vul

doubled = Contract(level=4, denom=Denom.spades, declarer=Player.north, penalty=Penalty.doubled, result=0)
copied = doubled.copy()
print(doubled.score(Vul.none), copied.score(Vul.none), doubled == copied)
PY
cat seen
test "$(cat seen)" = "590 420 True"
