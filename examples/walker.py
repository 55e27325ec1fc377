"""Asks the questions of an edition and tells the ruling, with nothing but the file that ``revoke site`` writes.

python examples/walker.py public/duplicate-2017.json en
"""

import json
import re
import sys
from pathlib import Path

flow = json.loads(Path(sys.argv[1]).read_text("utf-8"))
language = flow["langs"].index(sys.argv[2])
at_table: dict[str, str] = {}
"""Who sits where: «revoke», the hand whose card it was, and «declarer», where the game has one."""


def turned(seat: str, by: int) -> str:
    return "NESW"[("NESW".index(seat) + by) % 4]


def by() -> int:
    """Everything is told for South as declarer, or as the hand that revoked where there is none."""
    return "NESW".index(at_table[[*flow["compass"]][-1]]) - 2


AROUND = ["R", "left", "partner", "right"]
"""The hand that revoked, and those around it as they sit."""


def name(who: str) -> str:
    if who in AROUND:
        found = turned(at_table["revoke"], AROUND.index(who))
    elif who == "D":
        found = at_table["declarer"]
    elif who in ("NS", "EW"):
        found = who if by() % 2 == 0 else {"NS": "EW", "EW": "NS"}[who]
    else:
        found = turned(who, by())
    return flow["texts"][flow["names"][found]][language]


def text(number: int) -> str:
    told = flow["texts"][number][language].split("⟦/⟧")  # of two the second, if he sits on declarer's right
    second = len(told) > 1 and turned(at_table["revoke"], -by()) == "E"
    return re.sub(r"⟦(\w+)⟧", lambda found: name(found[1]), told[second])


def told(lines: list[int]) -> None:
    for depth, said, laws in (flow["lines"][number] for number in lines):
        if text(said):
            print(f"{'  ' * depth}- {text(said)}", f"[{', '.join(laws)}]" if laws else "")


for seat in flow["compass"]:
    at_table[seat] = input(f"{text(flow['compass'][seat]['asks'])} N, E, S, W: ").strip().upper()
roots = flow["roots"]
at = roots[turned(at_table["revoke"], -by()) if len(roots) > 1 else "S"]
while not isinstance((node := flow["nodes"][at])[1], list):  # a question: [screen, band, row, back, row, back, ...]
    print(text(flow["screens"][node[0]][2]))
    rows = [(flow["rows"][row], at - back) for row, back in zip(node[2::2], node[3::2], strict=True)]
    for number, (row, _) in enumerate(rows, 1):
        print(f"  {number} {text(row[0])}")
    at = rows[int(input("> ")) - 1][1]
head, said, now, parts, _ = node  # an end
print(text(head))
for lines in (said, now, *(flow["parts"][part][1] for part in parts)):
    told(lines)
