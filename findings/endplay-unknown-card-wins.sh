#!/bin/sh
# endplay 0.5.12 reads PBN's "-", a card that was not recorded, as a card of no-trump, and lets it win the trick.
#
# A play section may hold "-" where a card is not known. Below, East leads the ace of diamonds to the second trick and
# only West's card is not known. The reader gives that card as "NT2", ranks it as a trump because the contract is in
# no-trump, and so takes the third trick to begin with West: H4 H6 H8 H2. With D2 in place of "-" it begins with East,
# who won: H8 H2 H4 H6. Both orders are what is seen; nothing warns.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q endplay==0.5.12
venv/bin/python - > seen <<'PY'
from endplay.config import suppress_unicode
from endplay.parsers import pbn

tags = {"Event": "", "Site": "", "Date": "", "Board": "1", "West": "", "North": "", "East": "", "South": ""}
tags |= {"Dealer": "N", "Vulnerable": "None", "Declarer": "E", "Contract": "3NT", "Result": "9"}
tags |= {"Deal": "N:K74.J6.T543.Q432 962.Q8.AKQJ96.A7 JT8.AK9752..T986 AQ53.T43.872.KJ5", "Play": "S"}
for west in ("-", "D2"):
    rows = f"H7 H3 HJ HQ\nC6 {west} D3 DA\nH2 H4 H6 H8\n*\n"
    board = "".join(f'[{tag} "{value}"]\n' for tag, value in tags.items()) + rows
    with suppress_unicode():
        print(*pbn.loads(board)[0].play)
PY
cat seen
test "$(cat seen)" = "H7 H3 HJ HQ DA C6 NT2 D3 H4 H6 H8 H2
H7 H3 HJ HQ DA C6 D2 D3 H8 H2 H4 H6"
