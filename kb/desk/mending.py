"""The way on from an address that cannot be read: the question to mend, with every other answer kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from facts.errors import Fault, InputError
from kb.desk.addressed import WORD, law_of, said_of
from kb.desk.desk import Desk
from kb.desk.pages import LANG, PageRequest, address

ADDRESSED = ("/", "/ask", "/ruling")
"""The pages whose addresses state answers."""


def mends(visit: PageRequest, desk: Desk, faults: Sequence[Fault]) -> list[tuple[str, str]]:
    """Each question to mend, in words, with its address; nothing for a page that states no answers."""
    query = {key: one for key, one in visit.request.query_params.items() if key != LANG}
    if visit.request.url.path not in ADDRESSED or WORD in query or not query:
        return []
    wrong = [fault.place.file.partition("=")[0] for fault in faults]
    rest = {key: one for key, one in query.items() if key not in {*wrong, "change"}}
    try:
        return list(_mends(visit, desk, wrong, rest))
    except InputError:
        return []


def _mends(visit: PageRequest, desk: Desk, wrong: Sequence[str], rest: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    counsel = desk.laws.counsel(law_of(rest))
    with counsel.lock:
        said = said_of(counsel, rest)
    interview = counsel.interview
    asks = {name: one.asks for name, one in interview.questions.items()}
    asks |= {name: one.asks for name, one in interview.seats.items()}
    missing = [name for name in ("revoke", "declarer") if said.role is None and name not in said.seats]
    named = missing[:1] or [name for name in dict.fromkeys(wrong) if name in asks]
    for name in named:
        yield asks[name][visit.lang], address("/ask", **rest, change=name)
    if not named:
        yield visit.t("fault-without"), address("/ask", **rest)
