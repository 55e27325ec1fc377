"""The book in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from kb.explain.say import Speaker
from kb.language.model import Clause, Note
from kb.lawbook.book import Book, BookEntry, CaseLine, Link
from kb.lawbook.changes import Changed, RedlinePiece, redline
from kb.lawbook.sentences import RuleSentences, Sentences


def markdown(book: Book, speaker: Speaker) -> str:
    """The whole book; each clause has an anchor of its own name."""
    return "\n".join(_Markdown(book, speaker).lines()) + "\n"


class _Markdown:
    def __init__(self, book: Book, speaker: Speaker) -> None:
        self.book = book
        self.lang = speaker.lang
        self.speaker = speaker
        self.sentences = Sentences(speaker, lambda letter: f"*{letter}*", plain)
        self.phrase = self.sentences.phrase

    def lines(self) -> Iterator[str]:
        book, edition = self.book, self.book.edition
        yield f"# {edition.title[self.lang]}"
        yield ""
        yield self.phrase("in-force", authority=edition.authority, date=edition.in_force, until=edition.until or None)
        if book.base:
            yield ""
            yield self.phrase("amends", edition=book.base.title[self.lang])
        if edition.elections:
            yield ""
            yield self.phrase("elections", elections=", ".join(edition.elections))
        yield ""
        yield self.phrase("letters")
        yield from self._changes()
        yield from self._contents()
        for chapter in book.chapters:
            yield ""
            yield f"## {self.speaker.phrase('law', law=chapter.number)}: {chapter.title[self.lang]}"
            for entry in chapter.entries:
                yield from self._entry(entry)
        yield ""
        yield f"## {self.phrase('definitions')}"
        yield ""
        yield self.phrase("machinery")
        for entry in book.definitions:
            yield from self._entry(entry)
        if book.base and book.repealed:
            yield ""
            yield f"## {self.phrase('repealed', edition=book.base.title[self.lang])}"
            yield ""
            yield from (f"- {clause.ref}: {plain(clause.says[self.lang])}" for clause in book.repealed)

    def _changes(self) -> Iterator[str]:
        book = self.book
        if book.base and (book.changes or book.repealed):
            yield from ("", f"## {self.phrase('changes')}", "")
            for how, some in book.changes.items():
                yield f"- {self.phrase(how)}: {', '.join(_link(one.clause.ref) for one in some)}"
            if book.repealed:
                yield f"- {self.phrase('gone')}: {', '.join(clause.ref for clause in book.repealed)}"
        if book.failing:
            yield from ("", f"## {self.phrase('failing')}", "")
            yield from (f"- {plain(one)}" for one in book.failing)

    def _contents(self) -> Iterator[str]:
        yield ""
        yield f"## {self.phrase('contents')}"
        yield ""
        for chapter in self.book.chapters:
            refs = ", ".join(_link(entry.clause.ref) for entry in chapter.entries)
            yield f"- {self.speaker.phrase('law', law=chapter.number)}, {chapter.title[self.lang]}: {refs}"
        yield f"- {self.phrase('definitions')}: {', '.join(_link(entry.clause.ref) for entry in self.book.definitions)}"

    def _entry(self, entry: BookEntry) -> Iterator[str]:
        clause = entry.clause
        yield ""
        yield f'### <a id="{clause.ref}"></a>{clause.ref}'
        yield ""
        yield f"> {plain(clause.says[self.lang])}"
        yield ""
        yield f"*{self.speaker.words.name('encoding', clause.encoded_as, self.lang)}*"
        base = self.book.base.title[self.lang] if self.book.base else ""
        yield from self._item("reason", clause.reason[self.lang] if clause.reason else None)
        yield from self._remarks("note", clause.notes)
        yield from self._remarks("minute", clause.minutes)
        yield from self._item("source", _linked(plain(str(clause.source)), clause.source.link))
        if clause.source.recalled:
            yield from ("", self.phrase("recalled"))
        if entry.new and clause.law:
            yield from ("", self.phrase("new", edition=base))
        if entry.number:
            yield from ("", self.phrase("number", edition=base, number=entry.number))
        if entry.changed:
            yield from ("", self._was(entry.changed, clause, base))
        for rule in clause.rules:
            new = entry.changed is not None and rule.id in entry.changed.new
            yield from self._rule(self.sentences.rule(rule), "rule-new" if new else "rule", base)
        for rule in entry.changed.gone if entry.changed else ():
            yield from self._rule(self.sentences.rule(rule), "rule-gone", base)
        yield from self._item("observed", ", ".join(f"`{kind}`" for kind in entry.observed))
        yield from self._item("rests-on", _links(entry.rests_on))
        yield from self._item("rested-on", _links(entry.rested_on_by))
        yield from self._claimed(entry)
        yield from self._cases(entry)

    def _item(self, label: str, text: str | None) -> Iterator[str]:
        if text:
            yield from ("", f"**{self.phrase(label)}:** {text}")

    def _remarks(self, label: str, listed: Iterable[Note]) -> Iterator[str]:
        for one in listed:
            signed = f" ({plain(one.signed)})" if one.signed else ""
            yield from ("", f"**{self.phrase(label)}{signed}:** {_linked(plain(one.says[self.lang]), one.link)}")

    def _was(self, changed: Changed, now: Clause, base: str) -> str:
        """How the sentence was in what is amended, what is gone struck and what is new set off."""
        if not changed.reworded(now, self.lang):
            return self.phrase("same-words", edition=base)
        before = changed.before.says[self.lang]
        struck = " ".join(map(marked, redline(before, now.says[self.lang])))
        return f"**{self.phrase('struck' if struck else 'was', edition=base)}:** {struck or plain(before)}"

    def _rule(self, said: RuleSentences, label: str, base: str) -> Iterator[str]:
        yield from ("", f"**{self.phrase(label, id=said.id, edition=base)}**", "")
        for part, sentences in (("when", said.when), ("unless", said.unless), ("then", said.then)):
            if sentences:
                yield f"- {self.phrase(part)}"
                yield from (f"  - {sentence}" for sentence in sentences)
        yield f"- {self.phrase('said')}: «{said.because}»"

    def _claimed(self, entry: BookEntry) -> Iterator[str]:
        if entry.claimed:
            yield from ("", f"**{self.phrase('claimed')}**", "")
        for one in entry.claimed:
            stands = f"**{plain(one.stands)}**" if one.fails else plain(one.stands)
            yield f"- {plain(one.says.rstrip('.'))} ({one.id}): {stands}"
            yield from (f"  - {plain(each.words)}" for each in one.exceptions)

    def _cases(self, entry: BookEntry) -> Iterator[str]:
        if entry.cases:
            yield from ("", f"**{self.phrase('cases')}**", "")
            yield from map(self._case, entry.cases)
            if entry.more_cases:
                yield f"- {self.phrase('more-cases', n=entry.more_cases)}"

    def _case(self, case: CaseLine) -> str:
        fails = f": **{self.phrase('fails')}** ({plain('; '.join(case.fails))})" if case.fails else ""
        return f"- {plain(case.title)} → {plain(case.outcome)} ({case.id}){fails}"


def marked(piece: RedlinePiece) -> str:
    """A piece of a sentence, set off if it is struck or new."""
    mark = {"kept": "", "gone": "~~", "new": "**"}[piece.how]
    return f"{mark}{plain(piece.text)}{mark}"


def plain(text: str) -> str:
    """Text in which nothing is taken for Markdown."""
    for sign in "\\`*_<>[]|#":
        text = text.replace(sign, f"\\{sign}")
    return re.sub(r"\s+", " ", text)  # a text between two letters keeps the blanks at its ends


def _linked(text: str, link: str) -> str:
    """The text, and the page where it is to be found."""
    return " ".join(filter(None, (text, f"<{link}>" if link else "")))


def _link(ref: str) -> str:
    return f"[{ref}](#{ref})"


def _links(links: Sequence[Link]) -> str:
    return "; ".join(f"{_link(link.ref)} ({_kinds(link.kinds)})" for link in links)


def _kinds(kinds: Iterable[str]) -> str:
    return ", ".join(f"`{kind}`" for kind in kinds)
