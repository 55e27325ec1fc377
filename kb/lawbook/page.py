"""The book as one HTML page that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from kb.explain.say import Speaker
from kb.lawbook.book import Book, BookEntry, Chapter, Link
from kb.lawbook.sentences import RuleSentences, Sentences

STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1c; --paper: #fdfcf9; --soft: #565656; --line: #c9c4b8;
  --shade: #f3f0e8; --link: #0b4f8a; --mark: #8a2b0b; }
@media (prefers-color-scheme: dark) { :root { --ink: #ecebe7; --paper: #17181a; --soft: #b3b1ab; --line: #45474b;
  --shade: #222427; --link: #8cc4ff; --mark: #ffb08a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 46rem; padding: 2rem 1.2rem 4rem; color: var(--ink); background: var(--paper);
  font: 1.05rem/1.55 Georgia, "Noto Serif", "Liberation Serif", serif; overflow-wrap: break-word; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.45rem; margin: 3rem 0 .5rem; border-bottom: 2px solid var(--line); padding-bottom: .2rem; }
h3 { font-size: 1.15rem; margin: 2rem 0 .3rem; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover, h3 a:focus { text-decoration: underline; }
a { color: var(--link); }
a:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.soft { color: var(--soft); font-size: .92rem; }
.says { font-size: 1.1rem; margin: .3rem 0; }
.how { font-family: system-ui, sans-serif; color: var(--soft); font-size: .82rem; font-weight: normal; }
.doubt, .was { border-left: .25rem solid var(--mark); padding-left: .8rem; margin: .7rem 0; }
.was { border-color: var(--link); }
.rule { background: var(--shade); padding: .6rem .9rem; margin: .7rem 0; border-radius: .3rem; }
.rule p { margin: 0 0 .2rem; }
.rule .name { font-family: system-ui, sans-serif; font-size: .8rem; color: var(--soft); }
.rule ul { margin: .1rem 0 .3rem; padding-left: 1.3rem; }
.rule b { font-weight: 600; }
.rule .because { font-style: italic; margin: .4rem 0 0; }
var { color: var(--mark); font-style: italic; }
code { font-family: ui-monospace, Consolas, monospace; font-size: .85em; }
nav ul, .cases { padding-left: 1.2rem; }
.cases li { margin-bottom: .2rem; }
@media print {
  :root { --ink: #000; --paper: #fff; --soft: #444; --shade: #f2f2f2; --link: #000; --mark: #000; --line: #888; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  h2 { break-before: page; } nav h2 { break-before: auto; }
  h2, h3 { break-after: avoid; } .rule, .cases li { break-inside: avoid; }
  a { text-decoration: none; }
}
"""


def page(book: Book, speaker: Speaker) -> str:
    """The whole page; ``#`` and a reference lead to a clause."""
    return "\n".join(_Page(book, speaker).lines()) + "\n"


def body(book: Book, speaker: Speaker) -> str:
    """The book by itself, for a page that has ``STYLE`` from elsewhere."""
    return "\n".join(_Page(book, speaker).body())


class _Page:
    def __init__(self, book: Book, speaker: Speaker) -> None:
        self.book = book
        self.speaker = speaker
        self.lang = speaker.lang
        self.sentences = Sentences(speaker, lambda letter: f"<var>{escape(letter)}</var>", escape)
        self.phrase = self.sentences.phrase
        self.base = escape(book.base.title[self.lang]) if book.base else ""

    def lines(self) -> Iterator[str]:
        edition = self.book.edition
        title = escape(edition.title[self.lang])
        yield f'<!doctype html>\n<html lang="{self.lang}">\n<head>\n<meta charset="utf-8">'
        yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
        yield f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>"
        yield from self.body()
        yield "</body>\n</html>"

    def body(self) -> Iterator[str]:
        edition = self.book.edition
        yield f"<header>\n<h1>{escape(edition.title[self.lang])}</h1>"
        yield _soft(self.phrase("in-force", authority=escape(edition.authority), date=escape(edition.in_force)))
        if self.base:
            yield _soft(self.phrase("amends", edition=self.base))
        if edition.elections:
            yield _soft(self.phrase("elections", elections=escape(", ".join(edition.elections))))
        yield _soft(self.phrase("letters"))
        yield "</header>"
        yield from self._contents()
        yield "<main>"
        for chapter in self.book.chapters:
            yield f'<section>\n<h2 id="law-{escape(chapter.number)}">{self._heading(chapter)}</h2>'
            for entry in chapter.entries:
                yield from self._entry(entry)
            yield "</section>"
        yield from self._definitions()
        yield from self._repealed()
        yield "</main>"

    def _heading(self, chapter: Chapter) -> str:
        return f"{escape(self.speaker.phrase('law', law=chapter.number))}: {escape(chapter.title[self.lang])}"

    def _contents(self) -> Iterator[str]:
        label = self.phrase("contents")
        yield f'<nav aria-label="{label}">\n<h2>{label}</h2>\n<ul>'
        for chapter in self.book.chapters:
            refs = " ".join(_link(entry.clause.ref) for entry in chapter.entries)
            yield f'<li><a href="#law-{escape(chapter.number)}">{self._heading(chapter)}</a><br>{refs}</li>'
        refs = " ".join(_link(entry.clause.ref) for entry in self.book.definitions)
        yield f'<li><a href="#definitions">{self.phrase("definitions")}</a><br>{refs}</li>\n</ul>\n</nav>'

    def _definitions(self) -> Iterator[str]:
        yield f'<section>\n<h2 id="definitions">{self.phrase("definitions")}</h2>'
        yield _soft(self.phrase("machinery"))
        for entry in self.book.definitions:
            yield from self._entry(entry)
        yield "</section>"

    def _repealed(self) -> Iterator[str]:
        if self.book.repealed:
            yield f"<section>\n<h2>{self.phrase('repealed', edition=self.base)}</h2>\n<ul>"
            for clause in self.book.repealed:
                yield f"<li><b>{escape(clause.ref)}</b> {escape(clause.says[self.lang])}</li>"
            yield "</ul>\n</section>"

    def _entry(self, entry: BookEntry) -> Iterator[str]:
        clause, ref = entry.clause, escape(entry.clause.ref)
        how = escape(self.speaker.words.name("encoding", clause.encoded_as, self.lang))
        yield f'<article id="{ref}">\n<h3><a href="#{ref}">{ref}</a> <span class="how">{how}</span></h3>'
        yield f'<p class="says">{escape(clause.says[self.lang])}</p>'
        for label, texts in (("note", clause.notes), ("reason", clause.reason)):
            if texts:
                yield f'<p class="doubt"><b>{self.phrase(label)}:</b> {escape(texts[self.lang])}</p>'
        if clause.recalled:
            yield f'<p class="doubt">{self.phrase("recalled")}</p>'
        if entry.new and clause.law:
            yield f'<p class="was">{self.phrase("new", edition=self.base)}</p>'
        if entry.before:
            was = escape(entry.before.says[self.lang])
            yield f'<p class="was"><b>{self.phrase("was", edition=self.base)}:</b> {was}</p>'
        for rule in clause.rules:
            yield from self._rule(self.sentences.rule(rule))
        yield from self._item("observed", _codes(entry.observed))
        yield from self._item("rests-on", _links(entry.rests_on))
        yield from self._item("rested-on", _links(entry.rested_on_by))
        yield from self._cases(entry)
        yield "</article>"

    def _rule(self, said: RuleSentences) -> Iterator[str]:
        yield f'<div class="rule">\n<p class="name">{self.phrase("rule", id=escape(said.id))}</p>'
        for label, sentences in (("when", said.when), ("unless", said.unless), ("then", said.then)):
            if sentences:
                items = "".join(f"<li>{sentence}</li>" for sentence in sentences)
                yield f"<p><b>{self.phrase(label)}</b></p>\n<ul>{items}</ul>"
        yield f'<p class="because"><b>{self.phrase("said")}:</b> {said.because}</p>\n</div>'

    def _item(self, label: str, text: str) -> Iterator[str]:
        if text:
            yield f'<p class="soft"><b>{self.phrase(label)}:</b> {text}</p>'

    def _cases(self, entry: BookEntry) -> Iterator[str]:
        if entry.cases:
            yield f'<p class="soft"><b>{self.phrase("cases")}</b></p>\n<ul class="cases soft">'
            for case in entry.cases:
                outcome = f"{escape(case.outcome)} ({escape(case.id)})"
                yield f'<li><span lang="en">{escape(case.title)}</span> → {outcome}</li>'
            if entry.more_cases:
                yield f"<li>{self.phrase('more-cases', n=entry.more_cases)}</li>"
            yield "</ul>"


def _soft(text: str) -> str:
    return f'<p class="soft">{text}</p>'


def _link(ref: str) -> str:
    return f'<a href="#{escape(ref)}">{escape(ref)}</a>'


def _links(links: Sequence[Link]) -> str:
    return "; ".join(f"{_link(link.ref)} ({_codes(link.kinds)})" for link in links)


def _codes(kinds: Sequence[str]) -> str:
    return ", ".join(f"<code>{escape(kind)}</code>" for kind in kinds)
