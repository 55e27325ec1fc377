"""Verdicts on what is claimed, told on a page and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from facts.incident import Incident
from facts.to_yaml import as_yaml, happened
from kb.explain.headline import headline
from kb.explain.page import Line, Page, Part
from kb.explain.say import Speaker
from kb.explain.text import now, revoke_line
from kb.explain.words import Words
from kb.language.edition import load_edition
from kb.prove.prove import Proving, Verdict, Witness
from kb.ruling.law import Law
from kb.ruling.rule import ruled_once


class ProofReport:
    """Tells the verdicts on one edition in one language."""

    def __init__(self, proving: Proving, words: Words, lang: str) -> None:
        self.proving, self.lang = proving, lang
        self.edition = proving.edition
        self.speaker = Speaker(words, self.edition.vocabulary, lang)

    def page(self, verdicts: Sequence[Verdict]) -> Page:
        """Every verdict – the sentence, how it stands, what makes it so –, then how many of each there are."""
        situations, called = _number(len(self.proving.universe)), self.edition.called(self.lang)
        counts = {name: sum(one.standing == name for one in verdicts) for name in ("holds", "expected")}
        failed = sum(one.fails for one in verdicts)
        return Page(
            self.speaker.phrase("prove-title", edition=called, situations=situations),
            (),
            tuple(self._part(one) for one in verdicts),
            self.speaker.phrase("prove-count", all=len(verdicts), failed=failed, **counts),
        )

    def _part(self, one: Verdict) -> Part:
        phrase = self.speaker.phrase
        tried = phrase("prove-situations" if one.of.pairing is None else "prove-pairs", n=_number(one.tried))
        stands = phrase(f"prove-{one.standing}", times=_number(one.refuted), tried=tried)
        lines = [Line(stands.upper() if one.fails else stands)]
        if one.fails:
            lines.append(Line(phrase("prove-because", because=one.of.because[self.lang])))
        lines += self._examples(one.witness, one)
        for each in one.excepted:
            key, because = "prove-except" if each.times else "prove-needless-exception", each.expected.because
            says = phrase(key, times=_number(each.times), because=because[self.lang])
            lines.append(Line(says, (), tuple(self._examples(each.witness))))
        return Part(f"{one.of.id}: {one.of.says[self.lang]}", tuple(lines))

    def _examples(self, witness: Witness | None, of: Verdict | None = None) -> Iterator[Line]:
        """An example: the answers that are not the ordinary ones, or what differs in both of a pair.

        ``of``: the verdict for which the incidents are told, and how they are ruled on.
        """
        phrase = self.speaker.phrase
        if witness is None:
            return
        for number, situation in enumerate(witness.situations):
            words = witness.universe.unusual(situation, self.lang, phrase("prove-ordinary"))
            said = phrase("prove-beside" if number else "prove-for-instance", example=words)
            under = () if of is None else self._incident(of, witness.universe.incident(situation))
            yield Line(said, (), tuple(map(Line, under)))

    def _incident(self, one: Verdict, incident: Incident) -> Iterator[str]:
        """The incident, and what the editions that are compared say of it."""
        yield from as_yaml(incident).splitlines()
        others = [] if one.of.against is None else [load_edition(self.proving.root, one.of.against)]
        for edition in (*others, self.edition):
            ruling = ruled_once(Law(edition, engine="quick"), incident)
            speaker = self.speaker.of(ruling)
            revokes = (f"{revoke_line(speaker, one)}." for one in ruling.revokes)
            done = (line.text for line in now(ruling, speaker))
            yield f"→ {edition.id}: {' '.join([headline(ruling, speaker), *revokes, *done])}"


def _number(number: int) -> str:
    return f"{number:,}".replace(",", "\u202f")


def proof_json(report: ProofReport, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """The object: every property with how it stands, its exceptions and examples."""
    lang = report.lang
    return {
        "edition": report.edition.id,
        "elections": list(report.edition.elections),
        "situations": len(report.proving.universe),
        "holds": not any(one.fails for one in verdicts),
        "properties": [
            {
                "name": one.of.id,
                "says": one.of.says[lang],
                "because": one.of.because[lang],
                "law": list(one.of.laws),
                "claims": one.of.sort,
                "place": str(one.of.place),
                "standing": one.standing,
                "tried": one.tried,
                "refuted": one.refuted,
                "example": _example(one.witness),
                "expected": [
                    {
                        "because": each.expected.because[lang],
                        "times": each.times,
                        "example": _example(each.witness),
                    }
                    for each in one.excepted
                ],
            }
            for one in verdicts
        ],
    }


def _example(witness: Witness | None) -> dict[str, Any] | None:
    if witness is None:
        return None
    universe, situations = witness.universe, witness.situations
    incidents = [happened(universe.incident(number)) for number in situations]
    return {"answers": [universe.answers(number) for number in situations], "incidents": incidents}
