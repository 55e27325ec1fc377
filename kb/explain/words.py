"""The words of ``rules/words.yaml``, and with them facts, reasons and values as sentences of one language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final

from facts.auction import Auction
from facts.cards import CLOCKWISE, OTHER_SIDE, PARTNER, SIDE, Seat
from facts.contract import NO_LEVEL, Contract
from facts.errors import Fault, Faults, InputError, Place, RulesError, did_you_mean
from facts.fact import Fact, Value
from facts.form import NOWHERE, Texts
from facts.play import Irregularity
from facts.table import REVOKE, UNKNOWN
from facts.templates import is_named
from facts.yaml_reader import Node, read_text, read_yaml
from kb.engine.proof import Step, bindings
from kb.language.folders import WORDS, rules_root
from kb.language.rule import Condition, Operator, Rule, Test
from kb.language.strata import uses
from kb.language.terms import Term
from kb.language.texts import StandsFor, each, fill, has_words, holes, misfilled
from kb.language.vocabulary import TIMES, Field, Kind, Vocabulary, read_words, said_as
from kb.ruling.reasons import Lacking
from kb.ruling.ruling import RevokeRuled, Ruling


@dataclass(frozen=True)
class Words:
    """Names of values by type, and phrases by key, in every language."""

    names: Mapping[str, Mapping[str, Texts]]
    phrases: Mapping[str, Texts]
    languages: tuple[str, ...]

    def phrase(self, key: str, lang: str, **places: object) -> str:
        """A phrase with its places filled; None: it is not known, and only what stands in brackets may do without."""
        texts = {name: text if text is None or isinstance(text, str) else str(text) for name, text in places.items()}
        return fill(self.phrases[key][lang], texts)

    def name(self, kind: str, value: str, lang: str) -> str:
        """How a value of a type is said; the value itself where the type has no names."""
        texts = self.names.get(kind, {}).get(value)
        return value if texts is None else texts[lang]

    def language(self, asked: str, place: Place | str = "--lang") -> str:
        """The language that is asked for; InputError if there are no words in it."""
        if asked not in self.languages:
            problem = f"the rules are not written in {asked:.60}"
            raise InputError.of(place, problem, did_you_mean(asked, self.languages))
        return asked

    @cached_property
    def partial(self) -> frozenset[str]:
        """The languages in which some phrase is not given, and is said in the first of them."""
        phrases = [texts for texts in self.phrases.values() if has_words(texts.get(self.languages[0], ""))]
        return frozenset(lang for lang in self.languages if any(lang not in texts for texts in phrases))

    def under(self, vocabulary: Vocabulary) -> Words:
        """As they are said under an edition: with the names and phrases of a draft's own."""
        if not (vocabulary.names or vocabulary.phrases):
            return self
        names = {kind: {**self.names.get(kind, {}), **own_names} for kind, own_names in vocabulary.names.items()}
        return replace(self, names={**self.names, **names}, phrases={**self.phrases, **vocabulary.phrases})


def load_words(root: Path, vocabulary: Vocabulary) -> Words:
    """The words beside the vocabulary; RulesError with every phrase, name and language that is missing.

    Every phrase and name of the shipped words must be there, and a name of each word of the vocabulary.
    """
    file = root / WORDS
    node, languages = vocabulary.translations.over(read_yaml(read_text(file), str(file))), vocabulary.languages
    faults = Faults(languages)
    words = Words(*read_words(node, faults), vocabulary.all_languages)
    filled = rules_root() / WORDS  # those that come with the program: what it looks up, and whose places it fills
    shipped = Words(*read_words(read_yaml(read_text(filled), str(filled)), Faults()), languages)
    faults += _missing(words, shipped, vocabulary, node)
    faults += _unknown_places(words.under(vocabulary), shipped)
    faults += _said_of_nothing(words, vocabulary)
    if faults:
        raise RulesError(sorted(set(faults)))
    return words


def _missing(words: Words, shipped: Words, vocabulary: Vocabulary, node: Node) -> Iterator[Fault]:
    """Phrases and names that the program looks up, or the vocabulary has a word for."""
    form = f"{{{', '.join(f'{lang}: …' for lang in words.languages)}}}"
    for key in shipped.phrases:
        if key not in words.phrases:
            yield Fault(_place(node, "phrases"), f"the phrase {key} is missing", f"add {key}: {form}")
    names = words.under(vocabulary).names
    for kind in {**shipped.names, **vocabulary.words}:
        for value in dict.fromkeys((*shipped.names.get(kind, ()), *vocabulary.words.get(kind, ()))):
            if value not in names.get(kind, ()):
                problem = f"among the names of {kind}, {value} is missing"
                yield Fault(_place(node, "names", kind), problem, f"add {value}: {form}")


def _said_of_nothing(words: Words, vocabulary: Vocabulary) -> Iterator[Fault]:
    """Phrases and names of a draft's own that nothing asks for."""

    def where(texts: Texts) -> Place:
        return next((place for _, _, place in each(texts, NOWHERE)), NOWHERE)

    for key, texts in vocabulary.phrases.items():
        if key not in words.phrases:
            yield Fault(where(texts), f"there is no phrase {key}", did_you_mean(key, words.phrases))
    for kind, names in vocabulary.names.items():
        valid = {*words.names.get(kind, {}), *vocabulary.words.get(kind, ())}
        for name, texts in names.items():
            if valid and name not in valid:
                yield Fault(where(texts), f"there is no {name} among the names of {kind}", did_you_mean(name, valid))


def _unknown_places(words: Words, shipped: Words) -> Iterator[Fault]:
    """What stands in braces and is not filled where the shipped words say the same."""
    pairs = [(words.phrases, shipped.phrases)]
    pairs += [(sayings, shipped.names[kind]) for kind, sayings in words.names.items() if kind in shipped.names]
    for key, texts, ours in ((key, texts, base.get(key)) for phrases, base in pairs for key, texts in phrases.items()):
        for lang, text, place in each(texts, NOWHERE):
            filled = holes(text) if ours is None else [name for form in ours.values() for name in holes(form)]
            yield from (Fault(place, f"{key} in {lang}: {problem}", mend) for problem, mend in misfilled(text, filled))


def _place(node: Node, *path: str) -> Place:
    place = node.place
    for step in path:
        if step not in node.entries:
            break
        place, node = node.keys[step], node.entries[step]
    return place


COMPARED: Final[Mapping[Operator, tuple[str, str]]] = {
    "<": ("less", "before"),
    "<=": ("at-most", "not-after"),
    ">": ("more", "after"),
    ">=": ("at-least", "not-before"),
}
"""Phrases for a comparison: of numbers, of times."""


class Speaker:
    """Says the facts of one vocabulary in one language."""

    def __init__(self, words: Words, vocabulary: Vocabulary, lang: str) -> None:
        self.words = words.under(vocabulary)
        self.vocabulary = vocabulary
        self.lang = lang
        self.standing: Mapping[tuple[str, str], StandsFor] = {}

    def phrase(self, key: str, **places: object) -> str:
        return self.words.phrase(key, self.lang, **places)

    def in_words(self, number: object) -> str:
        """A number in words, as far as there are any."""
        return self.words.name("in-words", str(number), self.lang)

    def counting(self, key: str, **places: object) -> str:
        """A phrase with numbers in words and sides by their names, every sentence with a capital letter."""
        text, values = self.words.phrases[key][self.lang], {name: str(value) for name, value in places.items()}
        values |= {name: self.value(values[name], "side") for name in ("to", "side", "own") if name in values}
        alone = (name for name in ("least", "most", "down") if f"{{{name}}}" in text)
        values |= {name: self.in_words(values[name]) for name in alone}
        return capitals(fill(text, values, number=self.in_words))

    def tricks(self, number: int) -> str:
        """«1 trick», «2 tricks»."""
        return self.phrase("tricks", n=number)

    def laws(self, laws: Iterable[str]) -> str:
        """«Law 7A1, 7B2»; nothing for none."""
        listed = ", ".join(laws)
        return self.phrase("law", law=listed) if listed else ""

    def value(self, value: Value, kind: str) -> str:
        if not is_named(value):
            return self._stands_for("trick" if kind == "trick" else "card")
        if (kind, str(value)) in self.standing:
            return self.standing[kind, str(value)]
        if value == UNKNOWN:
            return StandsFor(self.words.name(kind, UNKNOWN, self.lang), {})
        if kind == "card":
            suit, rank = str(value)[0], str(value)[1]
            return self.words.name("symbol", suit, self.lang) + self.words.name("rank", rank, self.lang)
        return self.words.name(kind, str(value), self.lang)

    def contract(self, contract: Contract) -> str:
        """«4♠», «3NTX»; «♠» where only the strain is known."""
        if contract.passed_out:
            return self.phrase("passed-out")
        level = "" if contract.level == NO_LEVEL else contract.level
        return f"{level}{self.words.name('symbol', contract.denomination, self.lang)}{contract.doubled}"

    def auction(self, auction: Auction) -> str:
        """«1♠ [1♥] 2♥ P», without marks; a call out of turn with its seat."""
        denominations = re.compile(r"(?<=\d)(NT|[SHDC])")
        calls = str(auction).replace("^I ", "")
        return denominations.sub(lambda one: self.words.name("symbol", one[0], self.lang), calls)

    def bid(self, contract: Contract) -> Mapping[str, str]:
        """«four» and «spades»."""
        of_one, denomination = contract.level == 1, contract.denomination
        strain = self.words.name("strain-of-one" if of_one else "strain", denomination, self.lang)
        return {"level": self.in_words(contract.level), "strain": strain}

    def fact(self, fact: Fact) -> str:
        kind = self.vocabulary.kind_of(fact)
        return self.kind_sentence(kind, self._fields(kind, fact))

    def happened(self, fact: Fact) -> str:
        """A fact as something that happened; nothing for one that is not told so."""
        kind = self.vocabulary.kind_of(fact)
        return "" if kind.untold else fill((kind.happened or kind.says)[self.lang], self._fields(kind, fact))

    def _fields(self, kind: Kind, fact: Fact) -> dict[str, str]:
        return {field.name: self.value(fact[position], field.type) for position, field in enumerate(kind.fields, 1)}

    def kind_sentence(self, kind: Kind, values: Mapping[str, str]) -> str:
        """The sentence of a kind; «someone» and the like for what is not given."""
        fields = {field.name: values[field.name] if field.name in values else self._any(field) for field in kind.fields}
        return fill(kind.says[self.lang], fields)

    def pattern(
        self, condition: Condition, bindings: Mapping[str, Value], play: Mapping[str, Value] | None = None
    ) -> str:
        """A fact that is looked for, as its kind says it.

        ``play``: what is known of the play that a condition names, said where it says no more of it.
        """

        def says(term: Term, type_: str) -> str | None:
            is_known = all(name in bindings for name in term.variables)
            return self.value(term.value_in(bindings), type_) if is_known else None

        fields = self.vocabulary.kinds[condition.kind].fields
        play_fields = {
            field.name: self.value(play[field.name], field.type) for field in fields if play and field.name in play
        }
        return self.demanded(condition, says, play_fields)

    def demanded(self, condition: Condition, says: Callable[[Term, str], str | None], fields: Mapping[str, str]) -> str:
        """What a condition demands, as its kind says it. ``says`` a term, if that can be; ``fields``: those
        of which more is known than it demands."""
        kind, values = self.vocabulary.kinds[condition.kind], dict(fields)
        for test in condition.tests:
            type_ = kind.field_named(test.field).type
            term = says(test.term, type_)
            if test.among or term is not None:
                values[test.field] = self.tested(test, type_, term or "")
        return self.kind_sentence(kind, values)

    def tested(self, test: Test, type_: str, term: str) -> str:
        """What a test demands of a field of that type; ``term``: how that with which it is compared is said."""
        if test.among:
            return self.phrase("book-or").join(self.value(value, type_) for value in test.among)
        if test.operator == "=":
            return term
        if test.operator == "!=":
            return self.phrase("book-other-than", any=self.words.name("any", said_as(type_), self.lang), x=term)
        if type_ not in TIMES and (least := test.inclusive) is not None:
            return self.phrase(f"book-{COMPARED[least[0]][0]}", x=str(least[1]))
        return self.phrase(f"book-{COMPARED[test.operator][type_ in TIMES]}", x=term)

    def lacking(self, lacking: Lacking) -> str:
        """What had to be missing for a step, as «and not: …»; where it only came at another time, that is said."""
        sentence = self.pattern(lacking.condition, lacking.bindings, lacking.play)
        if lacking.then is not None:
            sentence = f"{sentence} ({self.phrase('earlier' if lacking.then == 'earlier' else 'later')})"
        return self.phrase("unless", fact=sentence)

    def _any(self, field: Field) -> str:
        if field.type in ("trick", "card"):
            return self._stands_for(f"any-{field.type}")
        any_names = self.words.names["any"]
        for key in (field.name, said_as(field.type)):
            if key in any_names:
                return any_names[key][self.lang]
        words = self.vocabulary.words.get(field.type, ())
        return StandsFor(self.phrase("book-or").join(self.value(word, field.type) for word in words), {})

    def oddity(self, odd: Irregularity) -> str:
        hands, card = ", ".join(self.value(hand, "seat") for hand in odd.hands), odd.card.text if odd.card else None
        text = self.words.name("oddity", odd.kind, self.lang)
        return fill(text, {"hand": hands, "hands": hands, "card": self.value(card, "card"), "trick": str(odd.trick)})

    def capital(self, text: str) -> str:
        return text[:1].upper() + text[1:]

    def of(self, ruling: Ruling) -> Speaker:
        """The voice for one ruling: it has words for the seats, sides, tricks and suits that nobody has named."""
        speaker, unsaid = copy(self), ruling.unsaid
        of_revoke, findings = "trick-of" if len(unsaid.tricks) > 1 else "trick", ruling.incident.revokes
        tricks = {
            trick: self._stands_for(of_revoke if findings[number - 1].of == REVOKE else "that-trick", number)
            for trick, number in unsaid.tricks.items()
        }
        tricks |= dict.fromkeys(unsaid.following, self._stands_for("next-trick"))
        speaker.standing = {
            **{("seat", seat): self._stands_for(part) for seat, part in unsaid.seats.items()},
            **{("side", side): self._stands_for(part) for side, part in unsaid.sides.items()},
            **{("trick", str(trick)): words for trick, words in tricks.items()},
            **{("suit", suit): self._stands_for("any-suit") for suit in unsaid.suits},
        }
        return speaker

    def _stands_for(self, key: str, number: int = 1) -> StandsFor:
        """What is said for a part somebody plays, a card or a trick, and the words that go with the one before it.

        «the next trick; trick: the next trick»: alone, and in place of that word. What is left out of a sentence where
        it can be is not known; the part that somebody plays is said.
        """
        text = self.words.name("standing", key, self.lang).replace("{number}", str(number))
        alone, *others = text.split("; ")
        left_out = key in ("card", "trick", "trick-of", "that-trick", "next-trick", "any-trick")
        return StandsFor(alone, dict(pair.split(": ", 1) for pair in others), known=not left_out)

    def reason(self, reason: Step) -> str:
        return self.capital(
            fill(reason.rule.because[self.lang], self.places(reason.rule, bindings(self.vocabulary, reason)))
        )

    def places(self, rule: Rule, bindings: Mapping[str, Value]) -> dict[str, str]:
        types = {use.name: use.type for use in uses(rule, self.vocabulary) if use.type is not None}
        return {name: self.value(value, types.get(name, "text")) for name, value in bindings.items()}


def names(revoke: RevokeRuled, ruling: Ruling, speaker: Speaker) -> Mapping[str, str]:
    """The hands and sides of a revoke, and its card, as a sentence names them."""
    card = revoke.card
    card_name = speaker.phrase("class-card") if card is None else speaker.value(card, "card")
    return {**seen_from(revoke.hand, ruling.incident.declarer, speaker), "card": card_name}


def seen_from(hand: Seat, declarer: Seat | None, speaker: Speaker) -> Mapping[str, str]:
    """The hands and sides around one, as a sentence names them."""
    _, left, partner, right = CLOCKWISE[hand]
    hands = {"hand": hand, "left": left, "partner": partner, "right": right}
    if declarer is not None:
        hands |= {"declarer": declarer, "dummy": PARTNER[declarer]}
    sides = {"side": SIDE[hand], "other-side": OTHER_SIDE[SIDE[hand]]}
    hand_names = {name: speaker.value(seat, "seat") for name, seat in hands.items()}
    return {**hand_names, **{name: speaker.value(side, "side") for name, side in sides.items()}}


def capitals(text: str) -> str:
    return re.sub(r"(^|[.?!] )(\w)", lambda match: match[1] + match[2].upper(), text)
