"""The book told: rules as sentences, the whole as Markdown or one HTML page, single laws for pages that are linked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from string import ascii_uppercase
from typing import Final

from markupsafe import Markup, escape

from kb.cases.cases import Hearing
from kb.explain.headline import headline
from kb.explain.html import redline, render
from kb.explain.page import Line, Page, Part, as_markdown, part
from kb.explain.words import Speaker
from kb.language.model import Clause, Edition
from kb.language.relied_on import PLAY
from kb.language.rule import Conclusion, Condition, Rule, Tally, Test
from kb.language.terms import Sum, Term, Variable
from kb.language.texts import fill, holes
from kb.language.vocabulary import Kind
from kb.lawbook.book import Book, BookEntry, looked_at


def _letters(rule: Rule) -> dict[str, str]:
    """What its variables are called in a book: what belongs to one by its own first letter, or another that is free."""
    letters: dict[str, str] = {}
    for name in sorted((name for term in rule.terms() for name in term.variables), key=lambda name: "." in name):
        part = name.partition(".")[2].upper()
        free = [letter for letter in (*part[:1], *ascii_uppercase) if letter not in letters.values()]
        letters.setdefault(name, free[0] if part and name not in letters else name.upper())
    return letters


class RuleSentences:
    """One rule in words: ``when`` what is so, ``unless`` what, ``then`` what follows, ``because`` of what."""

    def __init__(self, rule: Rule, speaker: Speaker, mark: Callable[[str], str] = str) -> None:
        """``mark`` sets off a variable."""
        self.speaker = speaker
        self._letters = {name: mark(letter) for name, letter in _letters(rule).items()}
        self._used = [name for term in rule.terms() for name in term.variables]
        self._of_play: dict[str, dict[str, Term]] = {}
        """What the rule says anywhere of a play, by its variable."""
        stated = [
            {test.field: test.term for test in item.condition.tests if test.operator == "=" and not test.among}
            for item in rule.when
        ]
        for terms in (*stated, *(conclusion.terms for conclusion in rule.then)):
            play = terms.get(PLAY)
            if play and play.alone:
                self._of_play[play.alone] = {**terms, **self._of_play.get(play.alone, {})}
        self.when = tuple(self._tally(item) if isinstance(item, Tally) else self._condition(item) for item in rule.when)
        self.unless = tuple(map(self._condition, rule.unless))
        self.then = tuple(map(self._conclusion, rule.then))
        self.because = fill(rule.because[speaker.lang], self._letters)

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
        sentence = speaker.demanded(condition, self._term, self._known(kind, condition.variable(PLAY)))
        return sentence + (f" ({', '.join(hidden)})" if hidden else "")

    def _conclusion(self, conclusion: Conclusion) -> str:
        kind, play = self.speaker.vocabulary.kinds[conclusion.kind], conclusion.terms.get(PLAY)
        values = {name: self._term(term, kind.field_named(name).type) for name, term in conclusion.terms.items()}
        return self.speaker.kind_sentence(kind, {**self._known(kind, play.alone if play else None), **values})

    def _known(self, kind: Kind, play: str | None) -> dict[str, str]:
        terms = self._of_play.get(play or "", {})
        return {field.name: self._term(terms[field.name], field.type) for field in kind.fields if field.name in terms}

    def _tested(self, test: Test, type_: str) -> str:
        return self.speaker.tested(test, type_, self._term(test.term, type_))

    def _term(self, term: Term, type_: str) -> str:
        if isinstance(term, Sum):
            return " + ".join(self._term(addend, type_) for addend in (term.left, term.right))
        return self._letters[term.name] if isinstance(term, Variable) else self.speaker.value(term.value, type_)


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
            (f"{self.speaker.phrase('law', law=law.number)}: {law.title[self.lang]}", f"law-{law.number}", law.entries)
            for law in book.chapters
        ]
        chapters.append((phrase("definitions"), "definitions", book.definitions))
        contents = (
            Line(Markup('<a href="#%s">%s</a>') % (name, title), (), (Line(self._links(entries)),))
            for title, name, entries in chapters
        )
        parts = [*self._changes(), *(replace(block, kind="contents") for block in part(phrase("contents"), contents))]
        for title, name, entries in chapters:
            about = (Part("", (Line(phrase("machinery")),), kind="soft"),) if name == "definitions" else ()
            parts.append(Part(title, parts=(*about, *map(self.entry, entries)), name=name))
        parts += part(phrase("repealed", edition=self.base), (_clause(clause, self.lang) for clause in book.repealed))
        return Page(edition.called(self.lang), tuple(map(Line, [*lead, phrase("letters")])), tuple(parts))

    def entry(self, entry: BookEntry, folded: bool = False) -> Part:
        """A clause; ``folded``: with everything but what it says."""
        clause = entry.clause
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
            "was": [*self._was(entry)],
        }
        blocks = [Part("", tuple(map(Line, sentences)), kind=kind) for kind, sentences in texts.items() if sentences]
        rules = [self._rule(rule, "new" if rule.id in entry.added else "") for rule in clause.rules]
        rules += [self._rule(rule, "gone") for rule in entry.gone]
        around = part(self.phrase("around"), self._around(entry))
        if folded:
            below = [Part(self.phrase("applied"), folded=True, parts=(*rules, *around))]
        else:
            below = [*rules, *(replace(each, folded=True) for each in around)]
        how = self.speaker.words.name("encoding", clause.encoded_as, self.lang)
        title = clause.ref if folded else Markup("%s <small>%s</small>") % (clause.ref, how)
        return Part(title, parts=(*blocks, *below), name=clause.ref, kind="clause")

    def _label(self, key: str, text: str, signed: str = "", **places: str) -> Markup:
        signed = f" ({signed})" if signed else ""
        return Markup("<b>%s%s:</b> %s") % (self.phrase(key, **places), signed, text)

    def _links(self, entries: Iterable[BookEntry]) -> Markup:
        return Markup(", ").join(self._link(entry.clause.ref) for entry in entries)

    def _link(self, ref: str) -> Markup:
        return Markup('<a href="%s">%s</a>') % (self.at(ref), ref)

    def _changes(self) -> Iterator[Part]:
        book = self.book
        lines = []
        changed = [entry for entry in book.entries if entry.before]
        for how, entries in (("changed", changed), ("added", [entry for entry in book.entries if entry.new])):
            if entries:
                lines.append(Line(Markup("%s: %s") % (self.phrase(how), self._links(entries))))
        if book.repealed:
            lines.append(Line(f"{self.phrase('gone')}: {', '.join(clause.ref for clause in book.repealed)}"))
        yield from part(self.phrase("changes"), lines)

    def _was(self, entry: BookEntry) -> Iterator[str]:
        """How the clause stood in what is amended, what is gone struck and what is new set off."""
        if entry.new and entry.clause.law:
            yield self.phrase("new", edition=self.base)
        if entry.number:
            yield self.phrase("number", edition=self.base, number=entry.number)
        if entry.before:
            old_text, now = (clause.says[self.lang] for clause in (entry.before, entry.clause))
            struck, _, _ = redline(old_text, now)
            if old_text.split() == now.split():
                yield self.phrase("same-words", edition=self.base)
            else:
                yield self._label("struck" if struck else "was", struck or old_text, edition=self.base)

    def _rule(self, rule: Rule, how: str) -> Part:
        in_words = RuleSentences(rule, self.speaker, _LETTER)
        lines = [
            Line(_bold(self.phrase(key)), (), tuple(Line(_set_off(sentence)) for sentence in sentences))
            for key, sentences in (("when", in_words.when), ("unless", in_words.unless), ("then", in_words.then))
            if sentences
        ]
        lines.append(Line(self._label("said", _set_off(in_words.because))))
        title = self.phrase(f"rule-{how}" if how else "rule", id=rule.id, edition=self.base)
        return Part(title, tuple(lines), kind=f"rule {how}".strip())

    def _around(self, entry: BookEntry) -> Iterator[Line]:
        """What a clause looks at, what it rests on and what rests on it, its cases."""
        ref = entry.clause.ref
        if observed := [kind for kind in looked_at(entry.clause) if kind in self.book.edition.stated]:
            yield Line(self._label("observed", _codes(observed)))
        rests_on = [(fed.clause, fed.kinds) for fed in self.book.feeds if fed.into == ref]
        rested_on = [(fed.into, fed.kinds) for fed in self.book.feeds if fed.clause == ref]
        for key, links in (("rests-on", rests_on), ("rested-on", rested_on)):
            if links:
                led = (Markup("%s (%s)") % (self._link(linked), _codes(kinds)) for linked, kinds in links)
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
    for hearing in heard:
        if not hearing.differences:
            ruling, case = hearing.ruling, hearing.case
            made = " + ".join(ruling.edition.elected[name][speaker.lang] for name in ruling.edition.elections)
            title = f"{case.title} ({made})" if made else case.title
            markup = Markup('<span lang="en">%s</span> → %s (%s)') % (title, headline(ruling, speaker), case.id)
            lines.append((hearing, Line(markup)))
    for expects in (True, False):
        for hearing, line in lines:
            for ref in hearing.ruling.cited:
                if (ref in hearing.expected.cited) == expects and line not in cited.setdefault(ref, []):
                    cited[ref].append(line)
    return cited


def markdown(book: Book, speaker: Speaker, heard: Sequence[Hearing]) -> str:
    return as_markdown(BookTelling(book, speaker, heard).page(), speaker, level=1)


def book_html(book: Book, speaker: Speaker, heard: Sequence[Hearing] = ()) -> str:
    return _html(BookTelling(book, speaker, heard).page(), speaker, find=speaker.phrase("desk-law-search"))


def clauses(book: Book, entries: Sequence[BookEntry], speaker: Speaker, at: Callable[[str], str]) -> Markup:
    """Some of its clauses, their rules folded; ``at`` gives the address of a clause by its number."""
    telling = BookTelling(book, speaker, at=at)
    return render("lawbook/clauses.html", entries=[telling.entry(entry, folded=True) for entry in entries])


def family_page(books: Sequence[Book], speaker: Speaker) -> str:
    """The family of the laws and what each changed, clauses only, as a page that needs nothing else."""
    lang, phrase = speaker.lang, speaker.phrase

    def made_from(base: Edition | None) -> tuple[Line, ...]:
        led = [book.edition for book in books if book.base is base]
        link = Markup('<a href="#%s">%s %s</a>')
        return tuple(Line(link % (law.id, law.in_force[:4], law.title[lang]), (), made_from(law)) for law in led)

    def family_part(book: Book) -> Part:
        telling, changed = BookTelling(book, speaker), list[Line]()
        entries, base = [entry for entry in book.entries if entry.clause.law], telling.base
        about = [telling.in_force(), *([phrase("book-struck", edition=base)] if base else [])]
        for entry in entries:
            if entry.before is not None:
                old, new = entry.before.says[lang], entry.clause.says[lang]
                redlined = redline(old, new)[0] or Markup("<del>%s</del> <ins>%s</ins>") % (old, new)
                if old.split() == new.split():
                    redlined = Markup("%s <small>(%s)</small>") % (new, phrase("book-same-words", edition=base))
                changed.append(_clause(entry.clause, lang, redlined))
        parts = (
            Part("", tuple(map(Line, about)), kind="soft"),
            *part(phrase("book-changed"), changed),
            *part(phrase("book-added"), (_clause(row.clause, lang) for row in entries if row.new)),
            *part(phrase("book-gone"), (_clause(clause, lang) for clause in book.repealed if clause.law)),
            *part(phrase("book-renamed"), (Line(f"{row.number} → {row.clause.ref}") for row in entries if row.number)),
        )
        return Part(book.edition.title[lang], parts=parts, name=book.edition.id)

    tree = Part(phrase("book-contents"), made_from(None), kind="tree")
    page = Page(phrase("book-family"), (Line(phrase("book-family-about")),), (tree, *map(family_part, books)))
    return _html(page, speaker)


def _html(page: Page, speaker: Speaker, find: str = "") -> str:
    return render("lawbook/page.html", lang=speaker.lang, told=page, find=find)
