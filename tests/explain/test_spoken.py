"""What is said at the table: the usual rulings word for word, in both languages."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from support.ruling import law, laws, speaker_of

from facts.readers.incident import read_incident
from kb.explain.spoken import Announcement
from kb.ruling.report import Report
from kb.ruling.rule import rule

ESTABLISHED = "next-trick: played, noticed: during-play, claim: none"
IN_TIME = "next-trick: no, noticed: before-next-trick, claim: none"


@dataclass(frozen=True)
class Read:
    """A ruling and how it is read out."""

    revokes: str
    en: str
    de: str
    head: str
    board: str = ""


RULINGS = {
    "won the trick himself, another later": Read(
        f"{{hand: W, trick: 5, suit: H, won-by: W, later-tricks: 1, {ESTABLISHED}}}",
        "The revoke is established: East–West have played on. West won that trick himself, and East–West won another one later: two tricks go to North–South. Four spades making eleven: 450.",
        "Das Revoke ist vollendet: Ost–West haben weitergespielt. West hat diesen Stich selbst gewonnen, und Ost–West später noch einen: Zwei Stiche gehen an Nord–Süd. Vier Pik plus eins: 450.",
        "Two tricks to North–South",
        "tricks: 9, board: 8",
    ),
    "his partner won it": Read(
        f"{{hand: W, trick: 5, suit: H, won-by: E, later-tricks: 1, {ESTABLISHED}}}",
        "The revoke is established: East–West have played on. West did not win that trick himself, but his side won it: one trick goes to North–South.",
        "Das Revoke ist vollendet: Ost–West haben weitergespielt. West hat den Stich nicht selbst gewonnen, wohl aber seine Seite: Ein Stich geht an Nord–Süd.",
        "One trick to North–South",
    ),
    "his side won a later one": Read(
        f"{{hand: W, trick: 5, suit: H, won-by: N, later-tricks: 2, {ESTABLISHED}}}",
        "The revoke is established: East–West have played on. West did not win that trick himself, but his side won a later one: one trick goes to North–South.",
        "Das Revoke ist vollendet: Ost–West haben weitergespielt. West hat den Stich nicht selbst gewonnen, seine Seite aber einen späteren: Ein Stich geht an Nord–Süd.",
        "One trick to North–South",
    ),
    "none won": Read(
        f"{{hand: W, trick: 5, suit: H, won-by: N, later-tricks: 0, {ESTABLISHED}}}",
        "The revoke is established, but East–West have not won a trick since, nor that one: no trick goes over. North–South, if it cost you anything, tell me.",
        "Das Revoke ist vollendet, aber Ost–West haben weder diesen Stich noch einen späteren gewonnen: Kein Stich geht über. Nord–Süd, wenn es Sie etwas gekostet hat, sagen Sie es mir.",
        "No trick goes over",
    ),
    "a defender, in time": Read(
        f"{{hand: W, trick: 5, suit: H, played-after: [N, E], {IN_TIME}}}",
        "It was noticed in time. West, take the card back and follow suit; leave it face up, it is a major penalty card. North, you may change your card. East, only if North does.",
        "Es wurde rechtzeitig bemerkt. West, nehmen Sie die Karte zurück und bedienen Sie; sie bleibt als Hauptstrafkarte offen liegen. Nord, Sie dürfen Ihre Karte ändern. Ost nur, wenn Nord ändert.",
        "West must follow suit",
    ),
    "declarer, in time": Read(
        f"{{hand: S, trick: 5, suit: H, played-after: [W], {IN_TIME}}}",
        "It was noticed in time. South, follow suit; your card goes back to your hand, there is no penalty. West, you may change your card.",
        "Es wurde rechtzeitig bemerkt. Süd, bedienen Sie; Ihre Karte geht ohne Strafe in die Hand zurück. West, Sie dürfen Ihre Karte ändern.",
        "South must follow suit",
    ),
    "dummy, played on": Read(
        f"{{hand: N, trick: 5, suit: H, won-by: N, later-tricks: 1, {ESTABLISHED}}}",
        "The trick stays as it was played. For a card of dummy's no trick goes over by itself. East–West, did it cost you a trick? Then I will restore it.",
        "Der Stich bleibt, wie er gespielt ist. Für eine Karte des Dummys geht kein Stich von selbst über. Ost–West, hat es Sie einen Stich gekostet? Dann gleiche ich es aus.",
        "No trick goes over",
    ),
    "the twelfth trick": Read(
        "{hand: W, trick: 12, suit: H, won-by: N, next-trick: played, noticed: after-play, claim: none}",
        "On the twelfth trick it is put right even now. Each of you takes up the last two cards; West follows suit.",
        "Im zwölften Stich wird auch jetzt noch berichtigt. Nehmen Sie die letzten beiden Karten auf; West bedient.",
        "West must follow suit",
    ),
    "after a call on the next board": Read(
        "{hand: W, trick: 5, suit: H, won-by: W, later-tricks: 1, next-trick: played, claim: none, noticed: after-call-on-next-board, next-board-call-by: NS}",
        "North–South had already called on the next board when it was noticed: no trick goes over by itself. But if it cost North–South tricks, I adjust the score.",
        "Als es bemerkt wurde, hatten Nord–Süd auf dem nächsten Board schon angesagt: Kein Stich geht von selbst über. Hat es Nord–Süd aber Stiche gekostet, berichtige ich den Score.",
        "Noticed late: no trick goes over",
    ),
    "after the round": Read(
        "{hand: W, trick: 5, suit: H, won-by: W, later-tricks: 1, next-trick: played, claim: none, noticed: after-round}",
        "The round was over when it was noticed: no trick goes over by itself. But if it cost North–South tricks, I adjust the score.",
        "Als es bemerkt wurde, war die Runde vorbei: Kein Stich geht von selbst über. Hat es Nord–Süd aber Stiche gekostet, berichtige ich den Score.",
        "Noticed late: no trick goes over",
    ),
    "a claim of his own": Read(
        "{hand: W, trick: 5, suit: H, won-by: N, later-tricks: 2, next-trick: no, claim: by-revokers, noticed: during-play}",
        "By claiming, East–West made the revoke final. It counts as established: one trick goes to North–South.",
        "Mit dem Claim haben Ost–West das Revoke vollendet. Ein Stich geht an Nord–Süd.",
        "One trick to North–South",
    ),
    "both sides": Read(
        f"{{hand: W, trick: 5, suit: H, won-by: W, {ESTABLISHED}}}, {{hand: S, trick: 7, suit: D, won-by: W, {ESTABLISHED}}}",
        "Both sides revoked, and both revokes are established: no trick goes over for either. If one side was hurt, I look at what would have happened without them.",
        "Beide Seiten haben ein vollendetes Revoke: Für keines geht ein Stich über. Ist eine Seite geschädigt, prüfe ich, wie es ohne beide ausgegangen wäre.",
        "Both sides revoked: no trick goes over",
    ),
    "the same player again": Read(
        f"{{hand: W, trick: 5, suit: H, won-by: N, later-tricks: 2, {ESTABLISHED}}}, {{hand: W, trick: 7, suit: H, won-by: N, later-tricks: 2, {ESTABLISHED}}}",
        "The first revoke counts: one trick. The second in the same suit adds nothing by itself; if it cost North–South more, tell me.",
        "Das erste Revoke zählt: ein Stich. Das zweite in derselben Farbe gibt von selbst nichts dazu; hat es Nord–Süd mehr gekostet, sagen Sie es mir.",
        "One trick to North–South",
    ),
    "a penalty card": Read(
        f"{{hand: W, trick: 5, failed-to: play-penalty-card, played-after: [], {IN_TIME}}}",
        "South, you choose first: you may accept the card West played. If not, West takes it back and plays the penalty card, and the other stays face up as one too.",
        "Süd, Sie wählen zuerst: Sie dürfen die Karte von West annehmen. Wenn nicht, spielt West die Strafkarte, und auch die andere bleibt als Hauptstrafkarte liegen.",
        "South chooses first",
    ),
    "it hinges on who won": Read(
        "{hand: W, trick: 5, suit: H, later-tricks: 2, next-trick: played, noticed: during-play, claim: none}",
        "The revoke is established: East–West have played on. At least one trick goes to North–South. Please leave the cards where they are. I have to know one thing: Whose card won the trick?",
        "Das Revoke ist vollendet: Ost–West haben weitergespielt. Mindestens ein Stich geht an Nord–Süd. Lassen Sie die Karten bitte liegen. Eines muss ich wissen: Wessen Karte gewann den Stich?",
        "One or two tricks to North–South",
    ),
}


def read(text: str, lang: str) -> Announcement:
    ruling = rule(law(), read_incident(text, "text", laws().table))
    return Announcement(Report(ruling), speaker_of(lang).of(ruling))


def said(text: str, lang: str) -> str:
    return " ".join(line.text for line in read(text, lang).lines)


@pytest.mark.parametrize("name", RULINGS)
def test_it_is_read_out_so(name: str) -> None:
    one = RULINGS[name]
    board = ", ".join(filter(None, ("contract: 4S, declarer: S", one.board)))
    text = f"{{{board}, revokes: [{one.revokes}]}}"
    assert (said(text, "en"), said(text, "de")) == (one.en, one.de)
    assert read(text, "en").head == one.head


@pytest.mark.parametrize(
    ("tricks", "en", "de"),
    [
        (7, "Four spades, one down: 50 to East–West.", "Vier Pik, ein Faller: 50 an Ost–West."),
        (8, "Four spades making ten: 420.", "Vier Pik erfüllt: 420."),
        (10, "Four spades making twelve: 480.", "Vier Pik plus zwei: 480."),
    ],
)
def test_the_score_is_said_as_players_say_it(tricks: int, en: str, de: str) -> None:
    revoke = RULINGS["won the trick himself, another later"].revokes
    text = f"{{contract: 4S, declarer: S, board: 8, tricks: {tricks}, revokes: [{revoke}]}}"
    assert said(text, "en").endswith(en)
    assert said(text, "de").endswith(de)
