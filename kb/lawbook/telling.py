"""The book told: rules as sentences, the whole as Markdown or one HTML page, single laws for pages that are linked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup, escape

from facts.fact import Value
from kb.explain.html.templates import render
from kb.explain.page import in_markdown
from kb.explain.redline import MARKS, RedlinePiece, redline
from kb.explain.say import Speaker
from kb.language.known import PLAY
from kb.language.model import Clause, Note
from kb.language.rule import Condition, Operator, Rule, Tally, Test
from kb.language.strata import uses
from kb.language.terms import Term
from kb.language.texts import fill, holes
from kb.language.vocabulary import TIMES, Kind, said_as
from kb.lawbook.book import Book, BookEntry, Changed

COMPARED: Final[Mapping[Operator, tuple[str, str]]] = {
    "<": ("less", "before"),
    "<=": ("at-most", "not-after"),
    ">": ("more", "after"),
    ">=": ("at-least", "not-before"),
}
"""Phrases for a comparison: of numbers, of times."""


@dataclass(frozen=True, slots=True)
class RuleSentences:
    """One rule in words."""

    id: str
    when: tuple[str, ...]
    unless: tuple[str, ...]
    then: tuple[str, ...]
    because: str


class Sentences:
    """Says rules; ``mark`` sets off a variable, ``plain`` readies all other text for the page."""

    def __init__(self, speaker: Speaker, mark: Callable[[str], str], plain: Callable[[str], str]) -> None:
        self.speaker = speaker
        self.mark = mark
        self.plain = plain
        self.kinds = speaker.vocabulary.kinds

    def rule(self, rule: Rule) -> RuleSentences:
        context, lang, when = _Context(rule), self.speaker.lang, list[str]()
        for item in rule.when:
            if isinstance(item, Tally):
                field = item.field and self.plain(self.speaker.words.name("field", item.field, lang))
                of, number = self._condition(item.of, context), self._tested(item.number, "integer")
                when.append(self.phrase(item.how, fact=of, field=field, number=number))
            else:
                when.append(self._condition(item, context))
        unless = tuple(self._condition(item, context) for item in rule.unless)
        then = tuple(self._filled(self.kinds[one.kind], one.terms, context) for one in rule.then)
        types = {use.name for use in uses(rule, self.speaker.vocabulary)}
        because = fill(rule.because[lang], {name: self._letter(name) for name in types}, self.plain)
        return RuleSentences(rule.id, tuple(when), unless, then, because)

    def phrase(self, key: str, **places: object) -> str:
        """A phrase of the book; what fills its places is ready for the page."""
        text = self.speaker.words.phrases[f"book-{key}"][self.speaker.lang]
        return fill(text, {name: None if value is None else str(value) for name, value in places.items()}, self.plain)

    def _condition(self, condition: Condition, context: _Context) -> str:
        kind, lang = self.kinds[condition.kind], self.speaker.lang
        said = self._filled(kind, {test.field: test for test in condition.tests}, context)
        shown, hidden = holes(kind.says[lang]), list[str]()
        for test in condition.tests:  # of a field that the kind's sentence does not mention
            if test.field not in shown and context.matters(test):
                tested = self._tested(test, kind.field_named(test.field).type)
                hidden.append(f"{self.plain(self.speaker.words.name('field', test.field, lang))} {tested}")
        return said + (f" ({', '.join(hidden)})" if hidden else "")

    def _filled(self, kind: Kind, given: Mapping[str, Test] | Mapping[str, Term], context: _Context) -> str:
        """The sentence of a kind; what is not given is known from elsewhere, or may be anything."""
        values = {}
        for field in kind.fields:
            what = given.get(field.name) if field.name in given else context.known(given, field.name)
            if isinstance(what, Test):
                values[field.name] = self._tested(what, field.type)
            elif what is None:
                values[field.name] = self._any(field.type)
            else:
                values[field.name] = self._term(what, field.type)
        return fill(kind.says[self.speaker.lang], values, self.plain)

    def _tested(self, test: Test, type_: str) -> str:
        if test.among:
            return self.phrase("or").join(self._value(value, type_) for value in test.among)
        term = self._term(test.term, type_)
        if test.operator == "=":
            return term
        if test.operator == "!=":
            return self.phrase("other-than", any=self._any(type_), x=term)
        if type_ not in TIMES and (least := test.inclusive) is not None:
            return self.phrase(COMPARED[least[0]][0], x=str(least[1]))
        return self.phrase(COMPARED[test.operator][type_ in TIMES], x=term)

    def _any(self, type_: str) -> str:
        texts = self.speaker.words.names.get("any", {}).get(said_as(type_))
        return "…" if texts is None else self.plain(texts[self.speaker.lang])

    def _term(self, term: Term, type_: str) -> str:
        return term.spelt(self._letter, lambda value: self._value(value, type_))

    def _value(self, value: Value, type_: str) -> str:
        return self.plain(self.speaker.value(value, type_))

    def _letter(self, name: str) -> str:
        return self.mark(name.upper())


class _Context:
    """What a rule says of its variables as a whole."""

    def __init__(self, rule: Rule) -> None:
        self.used: list[str] = [name for term in rule.terms() for name in term.variables]
        self.of_play: dict[str, dict[str, Term]] = {}
        for item in rule.when:
            self._learn({t.field: t.term for t in item.condition.tests if t.operator == "=" and not t.among})
        for conclusion in rule.then:
            self._learn(conclusion.terms)

    def _learn(self, terms: Mapping[str, Term]) -> None:
        play = terms.get(PLAY)
        if play and play.alone:
            for field, term in terms.items():
                self.of_play.setdefault(play.alone, {}).setdefault(field, term)

    def known(self, given: Mapping[str, Test] | Mapping[str, Term], field: str) -> Term | None:
        """What is known elsewhere in the rule of a field of the same play."""
        named = given.get(PLAY)
        play = named.binds if isinstance(named, Test) else named and named.alone
        return self.of_play[play].get(field) if play in self.of_play else None

    def matters(self, test: Test) -> bool:
        """Whether a test says more than a name that is needed nowhere else, or than which play is meant."""
        if test.field == PLAY and test.operator == "=":
            return False
        return not (test.binds and self.used.count(test.binds) < 2)


def markdown(book: Book, speaker: Speaker) -> str:
    """The whole book; each clause has an anchor of its own name."""
    return "\n".join(_Markdown(book, speaker).lines()) + "\n"


class _Markdown:
    def __init__(self, book: Book, speaker: Speaker) -> None:
        self.book = book
        self.lang = speaker.lang
        self.speaker = speaker
        self.sentences = Sentences(speaker, lambda letter: f"*{letter}*", in_markdown)
        self.phrase = self.sentences.phrase
        self.base = book.base.title[self.lang] if book.base else ""

    def lines(self) -> Iterator[str]:
        book, edition = self.book, self.book.edition
        yield f"# {edition.called(self.lang)}"
        force = {"authority": edition.authority, "date": edition.in_force, "until": edition.until or None}
        yield from ("", self.phrase("in-force", **force))
        if book.base:
            yield from ("", self.phrase("amends", edition=self.base))
        if edition.elections:
            yield from ("", self.phrase("elections", elections=", ".join(edition.elections)))
        yield from ("", self.phrase("letters"), *self._changes(), "", f"## {self.phrase('contents')}", "")
        for chapter in book.chapters:
            law = self.speaker.phrase("law", law=chapter.number)
            yield f"- {law}, {chapter.title[self.lang]}: {_links(chapter.entries)}"
        yield f"- {self.phrase('definitions')}: {_links(book.definitions)}"
        for chapter in book.chapters:
            yield from ("", f"## {self.speaker.phrase('law', law=chapter.number)}: {chapter.title[self.lang]}")
            for entry in chapter.entries:
                yield from self._entry(entry)
        yield from ("", f"## {self.phrase('definitions')}", "", self.phrase("machinery"))
        for entry in book.definitions:
            yield from self._entry(entry)
        if book.base and book.repealed:
            yield from ("", f"## {self.phrase('repealed', edition=self.base)}", "")
            yield from (f"- {clause.ref}: {in_markdown(clause.says[self.lang])}" for clause in book.repealed)

    def _changes(self) -> Iterator[str]:
        book = self.book
        if book.base and (book.changes or book.repealed):
            yield from ("", f"## {self.phrase('changes')}", "")
            yield from (f"- {self.phrase(how)}: {_links(some)}" for how, some in book.changes.items())
            if book.repealed:
                yield f"- {self.phrase('gone')}: {', '.join(clause.ref for clause in book.repealed)}"
        if book.failing:
            yield from ("", f"## {self.phrase('failing')}", "")
            yield from (f"- {in_markdown(one)}" for one in book.failing)

    def _entry(self, entry: BookEntry) -> Iterator[str]:
        clause, changed = entry.clause, entry.changed
        yield from (
            "",
            f'### <a id="{clause.ref}"></a>{clause.ref}',
            "",
            f"> {in_markdown(clause.says[self.lang])}",
            "",
        )
        yield f"*{self.speaker.words.name('encoding', clause.encoded_as, self.lang)}*"
        yield from self._item("reason", clause.reason[self.lang] if clause.reason else None)
        yield from self._remarks("note", clause.notes)
        yield from self._remarks("minute", clause.minutes)
        yield from self._item("source", in_markdown(str(clause.source)))
        if clause.source.recalled:
            yield from ("", self.phrase("recalled"))
        if entry.new and clause.law:
            yield from ("", self.phrase("new", edition=self.base))
        if entry.number:
            yield from ("", self.phrase("number", edition=self.base, number=entry.number))
        if changed:
            yield from ("", self._was(changed, clause))
        for rule in clause.rules:
            yield from self._rule(rule, "rule-new" if changed and rule.id in changed.new else "rule")
        for rule in changed.gone if changed else ():
            yield from self._rule(rule, "rule-gone")
        yield from self._item("observed", _kinds(entry.observed))
        for label, links in (("rests-on", entry.rests_on), ("rested-on", entry.rested_on_by)):
            yield from self._item(label, "; ".join(f"{_link(ref)} ({_kinds(kinds)})" for ref, kinds in links))
        yield from self._claimed(entry)

    def _item(self, label: str, text: str | None) -> Iterator[str]:
        if text:
            yield from ("", f"**{self.phrase(label)}:** {text}")

    def _remarks(self, label: str, listed: Iterable[Note]) -> Iterator[str]:
        for one in listed:
            signed = f" ({in_markdown(one.signed)})" if one.signed else ""
            yield from ("", f"**{self.phrase(label)}{signed}:** {in_markdown(one.says[self.lang])}")

    def _was(self, changed: Changed, now: Clause) -> str:
        """How the sentence was in what is amended, what is gone struck and what is new set off."""
        if not changed.reworded(now, self.lang):
            return self.phrase("same-words", edition=self.base)
        before = changed.before.says[self.lang]
        struck = " ".join(map(marked, redline(before, now.says[self.lang])))
        return f"**{self.phrase('struck' if struck else 'was', edition=self.base)}:** {struck or in_markdown(before)}"

    def _rule(self, rule: Rule, label: str) -> Iterator[str]:
        said = self.sentences.rule(rule)
        yield from ("", f"**{self.phrase(label, id=said.id, edition=self.base)}**", "")
        for part, sentences in (("when", said.when), ("unless", said.unless), ("then", said.then)):
            if sentences:
                yield f"- {self.phrase(part)}"
                yield from (f"  - {sentence}" for sentence in sentences)
        yield f"- {self.phrase('said')}: «{said.because}»"

    def _claimed(self, entry: BookEntry) -> Iterator[str]:
        """What is claimed of it and whether that holds, then its cases."""
        if entry.claimed:
            yield from ("", f"**{self.phrase('claimed')}**", "")
        for one in entry.claimed:
            stands = f"**{in_markdown(one.stands)}**" if one.fails else in_markdown(one.stands)
            yield f"- {in_markdown(one.says.rstrip('.'))} ({one.id}): {stands}"
            yield from (f"  - {in_markdown(each.words)}" for each in one.exceptions)
        if entry.cases:
            yield from ("", f"**{self.phrase('cases')}**", "")
        for case in entry.cases:
            fails = f": **{self.phrase('fails')}** ({in_markdown('; '.join(case.fails))})" if case.fails else ""
            yield f"- {in_markdown(case.title)} → {in_markdown(case.outcome)} ({case.id}){fails}"
        if entry.more_cases:
            yield f"- {self.phrase('more-cases', n=entry.more_cases)}"


def marked(piece: RedlinePiece) -> str:
    """A piece of a sentence, set off if it is struck or new."""
    how, text = piece
    mark = {"kept": "", "gone": "~~", "new": "**"}[how]
    return f"{mark}{in_markdown(text)}{mark}"


def _link(ref: str) -> str:
    return f"[{ref}](#{ref})"


def _links(entries: Iterable[BookEntry]) -> str:
    return ", ".join(_link(one.clause.ref) for one in entries)


def _kinds(kinds: Iterable[str]) -> str:
    return ", ".join(f"`{kind}`" for kind in kinds)


def page(book: Book, speaker: Speaker) -> str:
    """The whole page; ``#`` and a reference lead to a clause."""
    return render("lawbook/page.html", title=book.edition.called(speaker.lang), **_given(book, speaker))


def clauses(book: Book, entries: Sequence[BookEntry], speaker: Speaker, at: Callable[[str], str]) -> Markup:
    """Some of its clauses, their rules folded; ``at`` gives the address of a clause by its reference."""
    return render("lawbook/chapter.html", entries=entries, **_given(book, speaker, at))


def _given(book: Book, speaker: Speaker, at: Callable[[str], str] = "#".__add__) -> dict[str, Any]:
    """``said`` gives a rule's sentences, ready for the page: its variables are set off in them."""
    sentences = Sentences(speaker, lambda letter: f"<var>{escape(letter)}</var>", lambda text: str(escape(text)))
    given = {"book": book, "speaker": speaker, "lang": speaker.lang, "said": sentences.rule, "at": at}
    return {**given, "redline": redline, "marks": MARKS}
