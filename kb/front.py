"""The front door: files of boards, laws and rulings in a few lines of Python, as ``import kb`` gives them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from facts import __version__  # noqa: F401 - kb.__version__
from facts.errors import InputError
from facts.incident import Incident
from facts.readers.archives import read_file
from facts.readers.incident_file import read_incident
from kb.explain.page import as_text
from kb.explain.words import Speaker, Words, load_words
from kb.language import folders
from kb.language.folders import rules_root
from kb.ruling import laws, ruling
from kb.ruling.laws import Laws
from kb.ruling.make_ruling import rule
from kb.voices import Voice, saved, told


def editions(rules: Path | None = None) -> tuple[str, ...]:
    """The ids of the editions of the law that a folder of rules holds; of the shipped ones for None.

    >>> import kb
    >>> "duplicate-2017" in kb.editions()
    True
    """
    return folders.edition_ids(rules_root() if rules is None else rules)


def read(path: Path | str, rules: Path | None = None) -> Iterator[Incident | InputError]:
    """Each board of a file or archive of any format, or of standard input for ``-``, in order.

    What cannot be read is an InputError in its place, with every fault, so that the boards after it are read all the
    same. ``rules``: the folder of rules that declares what can be said; the shipped ones for None.

    >>> import kb
    >>> [incident.declarer for incident in kb.read("examples/revoke.yaml")]
    ['S']
    """
    return read_file(path, Laws(rules_root() if rules is None else rules).table)


def incident(text: str, rules: Path | None = None) -> Incident:
    """The incident that a text in YAML describes; InputError with every fault in it.

    >>> import kb
    >>> kb.incident("{contract: 4S, declarer: S}").declarer
    'S'
    >>> kb.incident("declarer: Q")
    Traceback (most recent call last):
    ...
    facts.errors.InputError: text:1:11: ...
    """
    return read_incident(text, "text", Laws(rules_root() if rules is None else rules).table)


class Law(laws.Law):
    """An edition of the law with its elections, ready to rule.

    ``edition`` is its id or the folder of a draft, ``rules`` the folder of rules it is one of (the shipped ones for
    None), ``engine`` ``durable`` or ``quick``. RulesError with every fault of the rules, each with its place.

    >>> import kb
    >>> law = kb.Law("duplicate-2017")
    >>> law.rule(kb.incident('''
    ... contract: 4S
    ... declarer: S
    ... revokes:
    ...   - {hand: W, trick: 5, suit: H, card: S4, won-by: W, later-tricks: 2, next-trick: led}
    ... '''))
    <Ruling duplicate-2017: 2 tricks to NS; ...>
    >>> kb.Law("duplicate-2071")
    Traceback (most recent call last):
    ...
    facts.errors.RulesError: ... there is no edition duplicate-2071; did you mean duplicate-2017?
    """

    def __repr__(self) -> str:
        return f"<Law {' '.join((self.edition.id, *self.edition.elections))}>"

    @cached_property
    def words(self) -> Words:
        return load_words(self.root, self.edition.vocabulary)

    def rule(self, incident: Incident | InputError) -> Ruling:
        """The ruling on an incident by this law, whichever it names itself.

        InputError when the incident contradicts itself, or is one that `read` gave instead of a board; EngineError when
        the engine cannot be had or fails.
        """
        if isinstance(incident, InputError):
            raise incident
        ruling = rule(self, replace(incident, edition=self.edition.id, elections=self.edition.elections))
        return Ruling(ruling.incident, ruling.certainty)


@dataclass(frozen=True, repr=False)
class Ruling(ruling.Ruling):
    """A ruling that can tell itself.

    >>> import kb
    >>> (board,) = kb.read("examples/revoke.yaml")
    >>> found = kb.Law().rule(board)
    >>> found.transfer
    {'NS': 2, 'EW': 0}
    >>> len(found.cited)
    3
    >>> print(found.told(voice="table"))
    The revoke is established...
    >>> found.as_dict()["revokes"][0]["status"]
    'established'
    """

    @property
    def law(self) -> Law:
        """By which it was given."""
        return cast(Law, self.certainty.law)

    def told(self, lang: str = "en", voice: str | None = None) -> str:
        """The text in a language of the rules, ``en`` or ``de``, and a voice: ``table``, ``appeal``, ``teaching``,
        ``editor``, or in full for None. ValueError if there is no such language or voice."""
        speaker = self._speaker(lang)
        return as_text(told(self, speaker, None if voice is None else Voice(voice)), speaker)

    def as_dict(self, lang: str = "en", voice: str | None = None) -> dict[str, Any]:
        """What ``revoke rule --format json`` prints of it: strings, numbers, booleans, None, lists and objects."""
        return saved(self, self._speaker(lang), None if voice is None else Voice(voice))

    def _speaker(self, lang: str) -> Speaker:
        words = self.law.words
        if lang not in words.languages:
            raise ValueError(f"the rules are not written in {lang}; choose {' or '.join(words.languages)}")
        return Speaker(words, self.edition.vocabulary, lang)
