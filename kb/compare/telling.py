"""A comparison told: in words, in the terminal, as JSON and as an HTML page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from facts.errors import InputError
from facts.incident import Incident
from facts.to_yaml import as_yaml, without_law
from kb.compare.compare import CaseDiffers, ClauseSet, Comparison, DifferenceGroup, Directions, What
from kb.engine.sets import Bits
from kb.explain.as_text import entry_line, revoke_line
from kb.explain.headline import headline
from kb.explain.html import redline, render
from kb.explain.page import Line, Page, Part, part
from kb.explain.words import Speaker, Words
from kb.language.model import Clause, Edition
from kb.ruling.laws import Law
from kb.ruling.make_ruling import ruled_once
from kb.ruling.ruling import LISTED
from kb.space.bits import merged, union
from kb.space.measures import DIRECTIONS, Direction
from kb.space.outcomes import Effect


def called(editions: tuple[Edition, Edition], lang: str) -> list[str]:
    """What they are called; the id with it where two of them are called the same."""
    titles = [edition.called(lang) for edition in editions]
    alike = titles[0] == titles[1] and editions[0].id != editions[1].id
    return [f"{name} [{edition.id}]" if alike else name for name, edition in zip(titles, editions, strict=True)]


def ended(sentence: str) -> str:
    """With a full stop, where it has no other end."""
    return sentence if sentence.endswith((".", "?", "!")) else f"{sentence}."


def becoming(before: Effect, after: Effect) -> Counter[tuple[Effect, Effect]]:
    """What becomes of each revoke for which it is another thing, and of how many; of all together where one is gone or
    has come."""
    if len(before) != len(after):
        return Counter([(before, after)])
    return Counter(((old,), (new,)) for old, new in zip(before, after, strict=True) if old != new)


TOLD_SECTIONS: Final[dict[What, tuple[str, ...]]] = {"ruling": (*LISTED, "remarks"), "judgement": ("director",)}
"""The parts of a ruling whose sentences an example tells, by what differs."""
_OPPOSITE: Final[dict[Direction, Direction]] = {"stricter": "milder", "milder": "stricter"}


class Wording:
    def __init__(self, comparison: Comparison, words: Words, lang: str) -> None:
        self.comparison = comparison
        self.words, self.lang = words, lang
        self.a, self.b = called((comparison.a, comparison.b), lang)
        self._speakers = [Speaker(words, edition.vocabulary, lang) for edition in (comparison.a, comparison.b)]
        self._laws = [Law(edition, engine="quick") for edition in (comparison.a, comparison.b)]

    @cached_property
    def _lists(self) -> Mapping[str, str]:
        """Each word for what becomes of something in a part of its own, with the list that it is in."""
        return {**self.comparison.a.vocabulary.outcomes, **self.comparison.b.vocabulary.outcomes}

    def phrase(self, key: str, **places: object) -> str:
        return self.words.phrase(key, self.lang, **places)

    def number(self, number: int) -> str:
        return f"{number:,}".replace(",", "\u202f")

    def share(self, number: int) -> str:
        """So many of all situations, in per cent with one decimal."""
        return self.rounded(number) or self.phrase("compare-share-least")

    @cached_property
    def first(self) -> str:
        """The change of a revoke that is most frequent, with its clauses; nothing where none can be told."""
        counted: Counter[tuple[tuple[ClauseSet, ...], Effect, Effect]] = Counter()
        for group in self.comparison.groups:
            for change in group.changes if group.clauses else ():
                pairs = [*becoming(change.old, change.new)]
                if len(pairs) == 1:  # none where it is of several different
                    counted[group.clauses, *pairs[0]] += change.situations.bit_count()
        if not counted:
            return ""
        (clauses, old, new), _ = counted.most_common(1)[0]
        old_text, new_text = self._effects(old, new)
        places = {"before": old_text, "after": new_text, "clauses": self.clauses(clauses)}
        return self.phrase("compare-first", a=self.a, b=self.b, **places)

    @cached_property
    def sentence(self) -> str:
        differing = self.comparison.differing("ruling") + self.comparison.differing("judgement")
        places = {"a": self.a, "b": self.b, "situations": self.number(len(self.comparison.universe))}
        if not differing:
            cases = len(self.comparison.cases)
            return self.phrase("compare-only-cases" if cases else "compare-alike", **places, cases=cases)
        ways = self.ways(self.comparison.directions)
        return self.phrase("compare-sentence", **places, share=self.share(differing), ways=ways)

    def books(self) -> Iterator[str]:
        """The clauses of which the rules differ, and those of which words or encoding alone do; nothing of books that
        do not go back to each other."""
        comparison = self.comparison
        if not comparison.related:
            return
        yield self.phrase("compare-changed", clauses=", ".join(comparison.changed) or self.phrase("compare-none"))
        alone = [ref for ref in comparison.rewritten if ref not in comparison.changed]
        encoded = [ref for ref in alone if len({clause.encoded_as for clause in comparison.both(ref) if clause}) > 1]
        words = [ref for ref in alone if ref not in encoded]
        for key, refs in (("compare-words", words), ("compare-encoding", encoded)):
            if refs:
                yield self.phrase(key, clauses=", ".join(refs))

    def looked_at(self) -> Iterator[str]:
        """What has been weighed, what differs in the books, and over how much the comparison goes."""
        comparison, n = self.comparison, self.number
        if comparison.groups:
            yield self.phrase("compare-weighed", parts=", ".join(says[self.lang] for says in comparison.weighed))
        if not comparison.related:
            yield self.phrase("compare-unrelated")
        if comparison.renamed:
            clauses = ", ".join(f"{old} → {new}" for old, new in comparison.renamed.items())
            yield self.phrase("compare-renamed", clauses=clauses)
        if comparison.collide is not None:
            clauses = ", ".join(comparison.collide)
            yield self.phrase("compare-collide" if clauses else "compare-apart", clauses=clauses)
        yield self.phrase("compare-space", situations=n(len(comparison.universe)), cases=n(comparison.cases_tried))
        if differing := comparison.differing("judgement"):
            yield self.phrase("compare-judgement", situations=n(differing))
        if comparison.changed and comparison.without_effect:
            yield self.phrase("compare-without-effect", clauses=", ".join(comparison.without_effect))

    def ways(self, directions: Directions, counted: bool = False) -> str:
        """«milder in 5.5% and never stricter»: each way that something goes, and which of these two nothing goes."""
        counts = {way: n for way in DIRECTIONS if (n := directions[way].bit_count())}
        alike = list(counts) == ["equal"]
        phrases = []
        for way, n in () if alike else counts.items():
            number = f"{self.number(n)} ({self.share(n)})" if counted else self.share(n)
            phrases.append(self.phrase("compare-in", way=self.way(way), number=number))
        for way, opposite in _OPPOSITE.items():
            if alike or (opposite in counts and way not in counts):
                phrases.append(self.phrase("compare-never", way=self.way(way)))
        *earlier, last = phrases
        return self.phrase("compare-and").join([", ".join(earlier), last] if earlier else [last])

    def group_ways(self, group: DifferenceGroup) -> str:
        return self.phrase("compare-group-ways", ways=self.ways(group.directions, counted=True))

    def way(self, way: Direction) -> str:
        return self.phrase(f"compare-{way}")

    def title(self, group: DifferenceGroup) -> str:
        """«7A1: 12 rulings»."""
        situations = self.number(group.situations.bit_count())
        return self.phrase(f"compare-group-{group.what}", clauses=self.clauses(group.clauses), situations=situations)

    def clauses(self, clauses: tuple[ClauseSet, ...]) -> str:
        """«7A1», «7A1 + 7B2», «7A1 or 7B2»."""
        return self.phrase("compare-or").join(" + ".join(each) for each in clauses) or self.phrase("compare-code")

    def changes(self, group: DifferenceGroup, usual: bool | None = None) -> Mapping[str, Bits]:
        """What becomes of the revokes, or else what else is said, and in which situations; the most frequent first.

        ``usual``: only where one revoke is known, or only where there are several.
        """
        wanted = (change for change in group.changes if usual in (None, change.usual))
        by_text = merged((self.effect(change.old, change.new), change.situations) for change in wanted)
        if alike := by_text.pop("", 0):
            universe = self.comparison.universe
            by_text[self._else(universe.incident(universe.plainest(alike)), group.what)] = alike
        return dict(sorted(by_text.items(), key=lambda pair: -pair[1].bit_count()))

    def of_case(self, case: CaseDiffers) -> str:
        """What becomes of a case, or what may become of it where it leaves that open."""
        change = self.effect(case.old, case.new) or self._else(case.case.incident, case.cause.what)
        return self.phrase("compare-perhaps", change=change) if case.perhaps else change

    def effect(self, before: Effect, after: Effect) -> str:
        """What becomes of the revokes for which it is another thing, before and after; nothing where it is of none."""
        changes = ((*self._effects(old, new), times) for (old, new), times in becoming(before, after).items())
        return "; ".join(
            self.phrase("compare-becomes" if times == 1 else "compare-become", before=old, after=new, revokes=times)
            for old, new, times in sorted(changes)
        )

    def _effects(self, old: Effect, new: Effect) -> list[str]:
        """Before and after: tricks alone where nothing else differs."""
        if [state for state, _ in old] != [state for state, _ in new]:
            return [self._effect(old, new), self._effect(new, old)]
        totals = [sum(tricks for _, tricks in effect) for effect in (old, new)]
        return [self._speakers[0].tricks(n) if n else self.phrase("chart-no-trick") for n in totals]

    def _else(self, incident: Incident, what: What) -> str:
        """What the one ruling says and the other does not, where the revokes are ruled alike: of either the first."""
        try:
            pairs = self._said(incident, what)
        except InputError:  # in a case, which may say what only one of the laws knows
            return self.phrase("compare-refused")
        gone, added = ([line for line in lines if line not in others] for lines, others in pairs)
        if not gone and not added:
            return self.phrase("compare-same")
        key = "compare-else" if gone and added else "compare-no-longer" if gone else "compare-also"
        return self.phrase(key, before="".join(gone[:1]), after="".join(added[:1]))

    def rulings(self, situation: int, what: What) -> list[tuple[str, ...]]:
        """What either edition says of a situation: the headline, and the sentences that the other has not."""
        pairs = self._said(self.comparison.universe.incident(situation), what)
        return [(lines[0], *(line for line in lines[1:] if line not in others)) for lines, others in pairs]

    def _said(self, incident: Incident, what: What) -> list[tuple[list[str], list[str]]]:
        """The headline and each sentence under either edition, beside those under the other."""
        both = []
        for law, of_edition in zip(self._laws, self._speakers, strict=True):
            # even of a draft whose rules contradict each other, and of a case that names an edition
            ruling = ruled_once(law, replace(incident, edition=law.edition.id))
            speaker = of_edition.of(ruling)
            entries = (one for section in (*TOLD_SECTIONS[what], *ruling.own) for one in ruling.entries(section))
            revokes = [revoke_line(speaker, revoke) for revoke in ruling.revokes if what == "ruling"]  # else alike
            sentences = [*revokes, *(entry_line(ruling_entry, speaker).text for ruling_entry in entries)]
            both.append([headline(ruling, speaker), *map(ended, sentences)])
        first, second = both
        return [(first, second), (second, first)]

    def rounded(self, number: int) -> str:
        """The share; nothing where none would be left of it."""
        tenths = round(1000 * number / len(self.comparison.universe))
        return self.phrase("compare-share", whole=tenths // 10, tenth=tenths % 10) if tenths else ""

    def _effect(self, effect: Effect, beside: Effect = ()) -> str:
        """What becomes of it; ``beside``: what does under the other law, where this one says nothing."""
        shown = [
            self.words.name(self._lists.get(status, "status-word"), status, self.lang)
            + (self.phrase("automatic", tricks=self._speakers[0].tricks(tricks)) if tricks else "")
            for status, tricks in effect
        ]
        own = any(status in self._lists for status, _ in beside)
        return "; ".join(shown) or self.phrase("compare-nothing" if own else "compare-no-revoke")


CHANGES_TOLD: Final = 3
"""So many changes of a clause are told on the first page,"""
CLAUSES_TOLD: Final = 6
"""so many clauses with what becomes of the revokes,"""
MOST_NAMED: Final = 8
"""and so many more, and cases, by their names; the rest is counted."""


def first_page(wording: Wording) -> Page:
    """What changed, for a committee: in a sentence, then by what is usual, each clause with its share and an example;
    what is less usual and the cases named, and how far one has looked. HTML and JSON have everything."""
    comparison, phrase = wording.comparison, wording.phrase
    parts: list[Part] = []
    for usual, heading in ((True, "compare-one-revoke"), (False, "compare-more-revokes")):
        listed = [(group, changes) for group in comparison.groups if (changes := wording.changes(group, usual))]
        listed.sort(key=lambda pair: (pair[0].what != "ruling", -union(pair[1].values()).bit_count()))
        frequent = [pair for pair in listed if wording.rounded(union(pair[1].values()).bit_count())] or listed[:1]
        shown = [] if parts else frequent[:CLAUSES_TOLD]
        lines = [_of_clause(wording, *pair) for pair in shown]
        if more := [pair for pair in listed if pair not in shown]:
            names = _named(wording, more)
            lines.append(Line(phrase("compare-more", clauses=names) if lines else ended(names)))
        parts += part(phrase(heading), lines)
    last: list[str] = []
    if comparison.cases:
        folder = comparison.b.folders[-1]
        cases = sorted(comparison.cases, key=lambda case: folder not in Path(case.case.place.file).parents)
        names = ", ".join(case.case.id for case in cases[:MOST_NAMED]) + (" …" if cases[MOST_NAMED:] else "")
        last.append(f"{phrase('compare-cases', n=wording.number(len(cases)))}: {names}")
    parts += part(phrase("compare-looked"), map(Line, (*last, *wording.looked_at())))
    lead = (Line(sentence) for sentence in (wording.first, wording.sentence, *wording.books()) if sentence)
    return Page(phrase("compare-title", a=wording.a, b=wording.b), tuple(lead), tuple(parts))


def _named(wording: Wording, groups: Sequence[tuple[DifferenceGroup, Mapping[str, Bits]]]) -> str:
    each = [
        f"{wording.phrase(f'compare-only-{group.what}', clauses=wording.clauses(group.clauses))}"
        f" {wording.share(union(changes.values()).bit_count())}"
        for group, changes in groups[:MOST_NAMED]
    ]
    return "; ".join(each) + ("; …" if groups[MOST_NAMED:] else "")


def _of_clause(wording: Wording, group: DifferenceGroup, changes: Mapping[str, Bits]) -> Line:
    """Which way it goes; what becomes of the revokes, and how often; the plainest example of what is most frequent."""
    phrase, universe = wording.phrase, wording.comparison.universe
    where = union(changes.values())
    ways = wording.ways({way: bits & where for way, bits in group.directions.items()})
    lines = [f"{change}: {wording.share(where.bit_count())}" for change, where in [*changes.items()][:CHANGES_TOLD]]
    if more := [*changes.values()][CHANGES_TOLD:]:
        share = wording.share(union(more).bit_count())
        lines.append(phrase("compare-changes", changes=len(more), share=share))
    example = universe.plainest([*changes.values()][0])
    lines.append(phrase("compare-for", case=universe.unusual(example, wording.lang, phrase("compare-nothing-unusual"))))
    rulings = wording.rulings(example, group.what)
    nth = int(rulings[0][0] == rulings[1][0])  # the headlines, or else the first sentence that only one of them has
    judged = [sentences[1:2] for sentences in wording.rulings(example, "judgement")]
    for name, sentences, more_said in zip((wording.a, wording.b), rulings, judged, strict=True):
        text = " ".join((*sentences[nth : nth + 1], *(more_said if not nth else ())))
        if text and text not in lines[0]:
            lines.append(f"{name}: {text}")
    key = f"compare-changed-{group.what}"
    return Line(phrase(key, clauses=wording.clauses(group.clauses), ways=ways), (), tuple(map(Line, lines)))


def everything(wording: Wording) -> Iterator[Part]:
    """Each clause with its plainest example as an incident file, and what becomes of the revokes; every case."""
    comparison, phrase = wording.comparison, wording.phrase
    for number, group in enumerate(comparison.groups, 1):
        file = as_yaml(comparison.universe.incident(group.example))
        rulings = wording.rulings(group.example, group.what)
        spoken = (f"{name}: {' '.join(lines)}" for name, lines in zip((wording.a, wording.b), rulings, strict=True))
        changes = (f"{change}: {wording.number(where.bit_count())}" for change, where in wording.changes(group).items())
        lines = (
            Line(wording.group_ways(group)),
            Line(phrase("compare-example"), (), tuple(map(Line, (file, *spoken)))),
            Line(phrase("compare-what-becomes"), (), tuple(map(Line, changes))),
        )
        yield Part(f"{number}. {wording.title(group)}", lines, folded=True)
    cases = [
        f"{case.case.id} ({wording.clauses(case.cause.clauses)}): {case.case.title}: {wording.of_case(case)}"
        for case in comparison.cases
    ]
    for section in part(phrase("compare-cases", n=wording.number(len(cases))), map(Line, cases)):
        yield replace(section, folded=True)


@dataclass(frozen=True, slots=True)
class SideBySide:
    """A clause that differs: what of it, in the first edition and in the second; alike where that does not differ."""

    clause: str
    """Its number, or both where it has another one."""
    rules: bool
    """Whether its rules differ."""
    text: tuple[str, str]
    because: tuple[str, str]
    """The sentences of its rules, or the reason why it has none, that the other edition has not."""
    encoding: tuple[str, str]

    @property
    def alone(self) -> str:
        """``words`` or ``rules``, where nothing else differs; empty of a clause that is new or gone."""
        words, encoding = self.text[0] != self.text[1] or any(self.because), any(self.encoding)
        if "" in self.text or encoding or words == self.rules:
            return ""
        return "words" if words else "rules"


def synopsis(wording: Wording) -> Iterator[SideBySide]:
    """The clauses of the book that differ, in the language of the report, and what differs in another one only in that;
    none of editions that do not go back to each other."""
    comparison, numbers = wording.comparison, {new: old for old, new in wording.comparison.renamed.items()}
    differing = {*comparison.changed, *comparison.rewritten} if comparison.related else ()
    for ref in dict.fromkeys([*comparison.a.clauses, *comparison.b.clauses]):
        both = [clause for clause in comparison.both(ref) if clause]
        if ref in differing and any(clause.law for clause in both):
            same = (both[0].says[wording.lang],) * 2
            text = _otherwise(wording, comparison.both(ref), lambda clause, lang: [clause.says[lang]]) or same
            kept = both if len(both) > 1 else ()  # of a clause that is new or gone the text is enough
            because = _otherwise(wording, kept, _sentences) or ("", "")
            how = [wording.words.name("encoding", clause.encoded_as, wording.lang) for clause in both]
            encoding = (how[0], how[-1]) if how[0] != how[-1] else ("", "")
            number = f"{numbers[ref]} → {ref}" if ref in numbers else ref
            yield SideBySide(number, ref in comparison.changed, text, because, encoding)


def _sentences(clause: Clause, lang: str) -> list[str]:
    return [texts[lang] for texts in (clause.reason, *(rule.because for rule in clause.rules)) if texts]


def _otherwise(
    wording: Wording, both: Sequence[Clause | None], sentences_of: Callable[[Clause, str], list[str]]
) -> tuple[str, str] | None:
    """The sentences that only one of the two has, in the first language in which there are any."""
    for lang in (wording.lang, *wording.comparison.a.vocabulary.languages) if both else ():
        first, second = (sentences_of(clause, lang) if clause else [] for clause in both)
        if first != second:
            gone, new = [line for line in first if line not in second], [line for line in second if line not in first]
            return " ".join(gone), " ".join(new)
    return None


def comparison_page(wording: Wording) -> str:
    """The first page, the texts side by side, and everything, folded."""
    first = first_page(wording)
    whole = replace(first, parts=(*first.parts, *everything(wording)))
    rows, books = [], (wording.a, wording.b)
    for clause in synopsis(wording):
        pairs = ("", clause.text), ("compare-because", clause.because), ("compare-encoded", clause.encoding)
        rows.append((clause, [(key, *redline(*pair)[1:]) for key, pair in pairs if any(pair)]))
    shown = {"phrase": wording.phrase, "synopsis": rows, "books": books}
    return render("compare/page.html", lang=wording.lang, told=whole, **shown).rstrip("\n")


def comparison_json(wording: Wording) -> dict[str, Any]:
    """The object; the rulings on the examples are said in the language of ``wording``."""
    comparison = wording.comparison
    return {
        "a": comparison.a.named,
        "b": comparison.b.named,
        "says": wording.sentence,
        "enumerated": {
            "questions": sum(len(one.interview.questions) for one in comparison.universe.each),
            "situations": len(comparison.universe),
            "cases": comparison.cases_tried,
        },
        "related": comparison.related,
        "changed": list(comparison.changed),
        "rewritten": list(comparison.rewritten),
        "texts": [asdict(clause) | {"alone": clause.alone} for clause in synopsis(wording)],
        "renamed": dict(comparison.renamed),
        "collide": None if comparison.collide is None else list(comparison.collide),
        "without-effect": list(comparison.without_effect),
        "differ": {"ruling": comparison.differing("ruling"), "judgement": comparison.differing("judgement")},
        "directions": _directions(comparison.directions),
        "groups": [_group(wording, group) for group in comparison.groups],
        "cases": [
            {"id": case.case.id, "what": case.cause.what, "clauses": case.cause.clauses, "perhaps": case.perhaps}
            for case in comparison.cases
        ],
    }


def _directions(directions: Directions) -> dict[str, int]:
    return {way: bits.bit_count() for way, bits in directions.items()}


def _group(wording: Wording, group: DifferenceGroup) -> dict[str, Any]:
    universe = wording.comparison.universe
    a, b = (list(sentences) for sentences in wording.rulings(group.example, group.what))
    incident = without_law(universe.incident(group.example))

    def revokes(effect: Effect) -> list[dict[str, Any]]:
        return [{"status": status, "automatic-tricks": tricks} for status, tricks in effect]

    return {
        "what": group.what,
        "clauses": group.clauses,
        "situations": group.situations.bit_count(),
        "directions": _directions(group.directions),
        "effects": [
            {"before": revokes(change.old), "after": revokes(change.new), "situations": change.situations.bit_count()}
            for change in group.changes
        ],
        "example": {"answers": universe.answers(group.example), "incident": incident, "a": a, "b": b},
    }
