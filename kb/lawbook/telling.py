"""The book told: rules as sentences, the whole as Markdown or one HTML page, single laws for pages that are linked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from markupsafe import Markup, escape

from kb.cases.cases import Hearing
from kb.explain.headline import headline
from kb.explain.html import redline, render
from kb.explain.page import Line, Page, Part, as_markdown, part
from kb.explain.say import Speaker
from kb.language.known import PLAY
from kb.language.model import Clause, Edition
from kb.language.rule import Conclusion, Condition, Rule, Tally, Test
from kb.language.strata import uses
from kb.language.terms import Sum, Term, Variable
from kb.language.texts import fill, holes
from kb.language.vocabulary import Kind
from kb.lawbook.book import Book, BookEntry, looked_at


class RuleSentences:
    """One rule in words: ``when`` what is so, ``unless`` what, ``then`` what follows, ``because`` of what."""

    def __init__(self, rule: Rule, speaker: Speaker, mark: Callable[[str], str] = str) -> None:
        """``mark`` sets off a variable."""
        self.speaker, self.mark = speaker, mark
        self._used = [name for term in rule.terms() for name in term.variables]
        self._of_play: dict[str, dict[str, Term]] = {}
        """What the rule says anywhere of a play, by its variable."""
        stated = [
            {test.field: test.term for test in item.condition.tests if test.operator == "=" and not test.among}
            for item in rule.when
        ]
        for terms in (*stated, *(one.terms for one in rule.then)):
            play = terms.get(PLAY)
            if play and play.alone:
                self._of_play[play.alone] = {**terms, **self._of_play.get(play.alone, {})}
        self.when = tuple(self._tally(one) if isinstance(one, Tally) else self._condition(one) for one in rule.when)
        self.unless = tuple(map(self._condition, rule.unless))
        self.then = tuple(map(self._conclusion, rule.then))
        letters = {use.name: mark(use.name.upper()) for use in uses(rule, speaker.vocabulary)}
        self.because = fill(rule.because[speaker.lang], letters)

    def _tally(self, item: Tally) -> str:
        field = item.field and self.speaker.words.name("field", item.field, self.speaker.lang)
        number = self._tested(item.number, "integer")
        return self.speaker.phrase(f"book-{item.how}", fact=self._condition(item.of), field=field, number=number)

    def _condition(self, condition: Condition) -> str:
        speaker, hidden = self.speaker, list[str]()
        kind = speaker.vocabulary.kinds[condition.kind]
        shown = holes(kind.says[speaker.lang])
        for test in condition.tests:  # of a field that the kind's sentence does not mention
            which_play = test.field == PLAY and test.operator == "="
            needed_nowhere_else = test.binds and self._used.count(test.binds) < 2
            if test.field not in shown and not which_play and not needed_nowhere_else:
                tested = self._tested(test, kind.field_named(test.field).type)
                hidden.append(f"{speaker.words.name('field', test.field, speaker.lang)} {tested}")
        said = speaker.demanded(condition, self._term, self._known(kind, condition.variable(PLAY)))
        return said + (f" ({', '.join(hidden)})" if hidden else "")

    def _conclusion(self, one: Conclusion) -> str:
        kind, play = self.speaker.vocabulary.kinds[one.kind], one.terms.get(PLAY)
        given = {name: self._term(term, kind.field_named(name).type) for name, term in one.terms.items()}
        return self.speaker.said(kind, {**self._known(kind, play.alone if play else None), **given})

    def _known(self, kind: Kind, play: str | None) -> dict[str, str]:
        terms = self._of_play.get(play or "", {})
        return {field.name: self._term(terms[field.name], field.type) for field in kind.fields if field.name in terms}

    def _tested(self, test: Test, type_: str) -> str:
        return self.speaker.tested(test, type_, self._term(test.term, type_))

    def _term(self, term: Term, type_: str) -> str:
        if isinstance(term, Sum):
            return " + ".join(self._term(one, type_) for one in (term.left, term.right))
        return self.mark(term.name.upper()) if isinstance(term, Variable) else self.speaker.value(term.value, type_)


_LETTER: Final = "\x01{}\x01".format
"""Sets off a variable until the sentence is on a page."""


def _set_off(sentence: str) -> Markup:
    return Markup(re.sub("\x01(.*?)\x01", r"<var>\1</var>", str(escape(sentence))))


def _bold(text: str) -> Markup:
    return Markup("<b>%s</b>") % text


def _codes(kinds: Iterable[str]) -> Markup:
    return Markup(", ").join(Markup("<code>%s</code>") % kind for kind in kinds)


def _clause(clause: Clause, lang: str, says: str = "") -> Line:
    return Line(Markup("<b>%s</b> %s") % (clause.ref, says or clause.says[lang]))


class BookTelling:
    """Tells a book in one language; ``heard``: its cases, ``at`` gives the address of a clause by its number."""

    def __init__(
        self, book: Book, speaker: Speaker, heard: Sequence[Hearing] = (), at: Callable[[str], str] = "#".__add__
    ) -> None:
        self.book, self.speaker, self.lang, self.at = book, speaker, speaker.lang, at
        self.cases = _cases(heard, speaker)
        self.base = book.base.title[self.lang] if book.base else ""

    def phrase(self, key: str, **places: object) -> str:
        return self.speaker.phrase(f"book-{key}", **places)

    def in_force(self) -> str:
        """By whom the edition was made, and from when until when it is in force."""
        edition = self.book.edition
        return self.phrase("in-force", authority=edition.authority, date=edition.in_force, until=edition.until or None)

    def page(self) -> Page:
        book, edition, phrase = self.book, self.book.edition, self.phrase
        lead = [self.in_force()]
        if book.base:
            lead.append(phrase("amends", edition=self.base))
        if edition.elections:
            lead.append(phrase("elections", elections=", ".join(edition.elections)))
        chapters = [
            (f"{self.speaker.phrase('law', law=one.number)}: {one.title[self.lang]}", f"law-{one.number}", one.entries)
            for one in book.chapters
        ]
        chapters.append((phrase("definitions"), "definitions", book.definitions))
        contents = (
            Line(Markup('<a href="#%s">%s</a>') % (name, title), (), (Line(self._links(entries)),))
            for title, name, entries in chapters
        )
        parts = [*self._changes(), *(replace(one, kind="contents") for one in part(phrase("contents"), contents))]
        for title, name, entries in chapters:
            about = (Part("", (Line(phrase("machinery")),), kind="soft"),) if name == "definitions" else ()
            parts.append(Part(title, parts=(*about, *map(self.entry, entries)), name=name))
        parts += part(phrase("repealed", edition=self.base), (_clause(one, self.lang) for one in book.repealed))
        return Page(edition.called(self.lang), tuple(map(Line, [*lead, phrase("letters")])), tuple(parts))

    def entry(self, one: BookEntry, folded: bool = False) -> Part:
        """A clause; ``folded``: with everything but what it says."""
        clause = one.clause
        doubts: list[str] = [
            self._label(label, note.says[self.lang], note.signed)
            for label, notes in (("note", clause.notes), ("minute", clause.minutes))
            for note in notes
        ]
        doubts += [self._label("reason", clause.reason[self.lang])] if clause.reason else []
        doubts += [self.phrase("recalled")] if clause.recalled else []
        texts: dict[str, list[str]] = {
            "says": [clause.says[self.lang]],
            "doubt": doubts,
            "was": [*self._was(one)],
        }
        said = [Part("", tuple(map(Line, some)), kind=kind) for kind, some in texts.items() if some]
        rules = [self._rule(rule, "new" if rule.id in one.added else "") for rule in clause.rules]
        rules += [self._rule(rule, "gone") for rule in one.gone]
        around = part(self.phrase("around"), self._around(one))
        if folded:
            below = [Part(self.phrase("applied"), folded=True, parts=(*rules, *around))]
        else:
            below = [*rules, *(replace(each, folded=True) for each in around)]
        how = self.speaker.words.name("encoding", clause.encoded_as, self.lang)
        title = clause.ref if folded else Markup("%s <small>%s</small>") % (clause.ref, how)
        return Part(title, parts=(*said, *below), name=clause.ref, kind="clause")

    def _label(self, key: str, text: str, signed: str = "", **places: str) -> Markup:
        signed = f" ({signed})" if signed else ""
        return Markup("<b>%s%s:</b> %s") % (self.phrase(key, **places), signed, text)

    def _links(self, entries: Iterable[BookEntry]) -> Markup:
        return Markup(", ").join(self._link(one.clause.ref) for one in entries)

    def _link(self, ref: str) -> Markup:
        return Markup('<a href="%s">%s</a>') % (self.at(ref), ref)

    def _changes(self) -> Iterator[Part]:
        book = self.book
        lines = []
        changed = [one for one in book.entries if one.before]
        for how, some in (("changed", changed), ("added", [one for one in book.entries if one.new])):
            if some:
                lines.append(Line(Markup("%s: %s") % (self.phrase(how), self._links(some))))
        if book.repealed:
            lines.append(Line(f"{self.phrase('gone')}: {', '.join(clause.ref for clause in book.repealed)}"))
        yield from part(self.phrase("changes"), lines)

    def _was(self, one: BookEntry) -> Iterator[str]:
        """How the clause stood in what is amended, what is gone struck and what is new set off."""
        if one.new and one.clause.law:
            yield self.phrase("new", edition=self.base)
        if one.number:
            yield self.phrase("number", edition=self.base, number=one.number)
        if one.before:
            before, now = (clause.says[self.lang] for clause in (one.before, one.clause))
            struck, _, _ = redline(before, now)
            if before.split() == now.split():
                yield self.phrase("same-words", edition=self.base)
            else:
                yield self._label("struck" if struck else "was", struck or before, edition=self.base)

    def _rule(self, rule: Rule, how: str) -> Part:
        said = RuleSentences(rule, self.speaker, _LETTER)
        lines = [
            Line(_bold(self.phrase(key)), (), tuple(Line(_set_off(one)) for one in sentences))
            for key, sentences in (("when", said.when), ("unless", said.unless), ("then", said.then))
            if sentences
        ]
        lines.append(Line(self._label("said", _set_off(said.because))))
        title = self.phrase(f"rule-{how}" if how else "rule", id=rule.id, edition=self.base)
        return Part(title, tuple(lines), kind=f"rule {how}".strip())

    def _around(self, one: BookEntry) -> Iterator[Line]:
        """What a clause looks at, what it rests on and what rests on it, its cases."""
        ref = one.clause.ref
        if observed := [kind for kind in looked_at(one.clause) if kind in self.book.edition.stated]:
            yield Line(self._label("observed", _codes(observed)))
        rests_on = [(fed.clause, fed.kinds) for fed in self.book.feeds if fed.into == ref]
        rested_on = [(fed.into, fed.kinds) for fed in self.book.feeds if fed.clause == ref]
        for key, links in (("rests-on", rests_on), ("rested-on", rested_on)):
            if links:
                led = (Markup("%s (%s)") % (self._link(other), _codes(kinds)) for other, kinds in links)
                yield Line(self._label(key, Markup("; ").join(led)))
        if cases := self.cases.get(ref):
            further = len(cases[CASES_SHOWN:])
            more = [Line(self.phrase("more-cases", n=further))] if further else []
            yield Line(_bold(self.phrase("cases")), (), (*cases[:CASES_SHOWN], *more))


CASES_SHOWN: Final = 8
"""Of a clause; the rest is counted."""


def _cases(heard: Sequence[Hearing], speaker: Speaker) -> dict[str, list[Line]]:
    """The cases of each clause that come out as they expect, those first that expect it."""
    cited: dict[str, list[Line]] = {}
    lines: list[tuple[Hearing, Line]] = []
    for one in heard:
        if not one.differences:
            made = " + ".join(one.ruling.edition.elected[name][speaker.lang] for name in one.ruling.edition.elections)
            title = f"{one.case.title} ({made})" if made else one.case.title
            said = Markup('<span lang="en">%s</span> → %s (%s)') % (title, headline(one.ruling, speaker), one.case.id)
            lines.append((one, Line(said)))
    for expects in (True, False):
        for one, line in lines:
            for ref in one.ruling.cited:
                if (ref in one.expected.cited) == expects and line not in cited.setdefault(ref, []):
                    cited[ref].append(line)
    return cited


def markdown(book: Book, speaker: Speaker, heard: Sequence[Hearing]) -> str:
    return as_markdown(BookTelling(book, speaker, heard).page(), speaker, level=1)


def page(book: Book, speaker: Speaker, heard: Sequence[Hearing] = ()) -> str:
    return _html(BookTelling(book, speaker, heard).page(), speaker, find=speaker.phrase("desk-law-search"))


def clauses(book: Book, entries: Sequence[BookEntry], speaker: Speaker, at: Callable[[str], str]) -> Markup:
    """Some of its clauses, their rules folded; ``at`` gives the address of a clause by its number."""
    telling = BookTelling(book, speaker, at=at)
    return render("lawbook/clauses.html", entries=[telling.entry(one, folded=True) for one in entries])


def family_page(books: Sequence[Book], speaker: Speaker) -> str:
    """The family of the laws and what each changed, clauses only, as a page that needs nothing else."""
    lang, phrase = speaker.lang, speaker.phrase

    def made_from(before: Edition | None) -> tuple[Line, ...]:
        led = [one.edition for one in books if one.base is before]
        said = Markup('<a href="#%s">%s %s</a>')
        return tuple(Line(said % (one.id, one.in_force[:4], one.title[lang]), (), made_from(one)) for one in led)

    def told(book: Book) -> Part:
        telling, changed = BookTelling(book, speaker), list[Line]()
        entries, base = [one for one in book.entries if one.clause.law], telling.base
        about = [telling.in_force(), *([phrase("book-struck", edition=base)] if base else [])]
        for one in entries:
            if one.before is not None:
                old, new = one.before.says[lang], one.clause.says[lang]
                said = redline(old, new)[0] or Markup("<del>%s</del> <ins>%s</ins>") % (old, new)
                if old.split() == new.split():
                    said = Markup("%s <small>(%s)</small>") % (new, phrase("book-same-words", edition=base))
                changed.append(_clause(one.clause, lang, said))
        parts = (
            Part("", tuple(map(Line, about)), kind="soft"),
            *part(phrase("book-changed"), changed),
            *part(phrase("book-added"), (_clause(one.clause, lang) for one in entries if one.new)),
            *part(phrase("book-gone"), (_clause(one, lang) for one in book.repealed if one.law)),
            *part(phrase("book-renamed"), (Line(f"{one.number} → {one.clause.ref}") for one in entries if one.number)),
        )
        return Part(book.edition.title[lang], parts=parts, name=book.edition.id)

    tree = Part(phrase("book-contents"), made_from(None), kind="tree")
    page = Page(phrase("book-family"), (Line(phrase("book-family-about")),), (tree, *map(told, books)))
    return _html(page, speaker)


def _html(page: Page, speaker: Speaker, find: str = "") -> str:
    return render("lawbook/page.html", lang=speaker.lang, told=page, find=find)
