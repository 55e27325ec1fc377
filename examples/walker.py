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
nodes: list[list] = []
"""Every node by its number: [screen, band, node, ...] asks, and [head, said, now, parts, end] is an end."""


def numbered(node: list | int) -> int:
    """A node stands where something first leads to it; elsewhere it is its number."""
    if isinstance(node, int):
        return node
    at = len(nodes)
    nodes.append(node)
    if isinstance(node[1], int):
        node[2:] = [numbered(one) for one in node[2:]]
    return at


roots = {seat: numbered(root) for seat, root in flow["roots"].items()}
at = roots[turned(at_table["revoke"], -by()) if len(roots) > 1 else "S"]
while isinstance((node := nodes[at])[1], int):
    screen = flow["screens"][node[0]]
    print(text(screen[2]))
    for number, row in enumerate(screen[5], 1):
        print(f"  {number} {text(flow['rows'][row][0])}")
    at = node[1 + int(input("> "))]
head, said, now, parts, _ = node
print(text(head))
for lines in (said, now, *(flow["parts"][part][1] for part in parts)):
    told(lines)
