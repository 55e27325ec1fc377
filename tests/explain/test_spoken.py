"""What is said at the table: the usual rulings word for word, in both languages."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from support.ruling import law, laws, speaker_of

from facts.readers.incident_file import read_incident
from kb.explain.announcement import Announcement
from kb.ruling.make_ruling import rule

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
        "It was noticed in time. West, take the card back and follow suit; leave it face up: a major penalty card, to be played at the first legal opportunity. South, you may change dummy's card. East, only if South does: your card is then a penalty card.",
        "Es wurde rechtzeitig bemerkt. West, nehmen Sie die Karte zurück und bedienen Sie; sie bleibt offen liegen: als Hauptstrafkarte, bei erster zulässiger Gelegenheit zu spielen. Süd, Sie dürfen die Karte des Tisches ändern. Ost nur, wenn Süd ändert: Ihre Karte wird dann Strafkarte.",
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
        "On the twelfth trick it is put right even now. Each of you takes up the last two cards; West follows suit. South, what you or dummy played after West may be changed. East, only if dummy's is: your card is then a penalty card.",
        "Im zwölften Stich wird auch jetzt noch berichtigt. Nehmen Sie die letzten beiden Karten auf; West bedient. Süd, was Sie oder der Tisch nach West zugegeben haben, dürfen Sie ändern. Ost nur, wenn die des Tisches geändert wird: Ihre Karte wird dann Strafkarte.",
        "West must follow suit",
    ),
    "after a call on the next board": Read(
        "{hand: W, trick: 5, suit: H, won-by: W, later-tricks: 1, next-trick: played, claim: none, noticed: after-call-on-next-board, next-board-call-by: NS}",
        "North–South had already called on the next board when it was noticed: no trick goes over by itself. But if it cost North–South tricks, I adjust the score.",
        "Als es bemerkt wurde, hatten Nord–Süd auf dem nächsten Board schon gereizt: Kein Stich geht von selbst über. Hat es Nord–Süd aber Stiche gekostet, berichtige ich den Score.",
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
        "Their claim establishes the revoke: one trick goes to North–South.",
        "Mit dem Claim ist das Revoke vollendet. Ein Stich geht an Nord–Süd.",
        "One trick to North–South",
    ),
    "both sides": Read(
        f"{{hand: W, trick: 5, suit: H, won-by: W, {ESTABLISHED}}}, {{hand: S, trick: 7, suit: D, won-by: W, {ESTABLISHED}}}",
        "Both sides revoked, and the revokes are established: no trick goes over for either. If one side was hurt, I look at what would have happened without them.",
        "Beide Seiten haben ein vollendetes Revoke: Für keines geht ein Stich über. Ist eine Seite geschädigt, prüfe ich, wie es ohne beide ausgegangen wäre.",
        "Both sides revoked: no trick goes over",
    ),
    "the same player again": Read(
        f"{{hand: W, trick: 5, suit: H, won-by: N, later-tricks: 2, {ESTABLISHED}}}, {{hand: W, trick: 7, suit: H, won-by: N, later-tricks: 2, {ESTABLISHED}}}",
        "The first revoke counts: one trick. The second in the same suit adds nothing by itself; if it cost North–South more, tell me.",
        "Das erste Revoke zählt: ein Stich. Das zweite in derselben Farbe kostet keinen weiteren Stich; hat es Nord–Süd mehr gekostet, sagen Sie es mir.",
        "One trick to North–South",
    ),
    "a penalty card": Read(
        f"{{hand: W, trick: 5, failed-to: play-penalty-card, played-after: [], {IN_TIME}}}",
        "South, you choose first: you may accept the card West played. If not, West takes it back and plays the penalty card, and the other stays face up as one too.",
        "Süd, Sie wählen zuerst: Sie dürfen die Karte von West annehmen. Wenn nicht, spielt West die Strafkarte, und auch die andere bleibt als Hauptstrafkarte liegen.",
        "South chooses first",
    ),
    "a penalty card, and dummy has played since": Read(
        f"{{hand: W, trick: 5, failed-to: play-penalty-card, played-after: [N], {IN_TIME}}}",
        "South, you have played since and must accept the card West played: it stands, the penalty card stays one, and no trick goes over by itself.",
        "Süd, Sie haben seitdem gespielt, also ist die Karte von West angenommen: Sie gilt, die Strafkarte bleibt liegen, und kein Stich geht von selbst über.",
        "The card stands",
    ),
    "dummy asked first, having lost his rights": Read(
        "{hand: S, trick: 6, suit: C, won-by: S, later-tricks: 2, noticed: before-next-trick, asked-by: N, dummy-lost-rights: true}",
        "Dummy had lost his rights and asked first: South, follow suit, but the tricks count as if the revoke were established. South won that trick himself, and North–South won another one later: two tricks go to East–West.",
        "Der Dummy hatte seine Rechte verloren und fragte als Erster: Süd, bedienen Sie; gezählt wird, als wäre das Revoke vollendet. Süd hat diesen Stich selbst gewonnen, und Nord–Süd später noch einen: Zwei Stiche gehen an Ost–West.",
        "Two tricks to East–West",
    ),
    "who played after him is not known": Read(
        f"{{hand: W, suit: H, {IN_TIME}}}",
        "It was noticed in time. West, take the card back and follow suit; leave it face up: a major penalty card, to be played at the first legal opportunity. South, what you or dummy played after West may be changed. East, only if dummy's is: your card is then a penalty card.",
        "Es wurde rechtzeitig bemerkt. West, nehmen Sie die Karte zurück und bedienen Sie; sie bleibt offen liegen: als Hauptstrafkarte, bei erster zulässiger Gelegenheit zu spielen. Süd, was Sie oder der Tisch nach West zugegeben haben, dürfen Sie ändern. Ost nur, wenn die des Tisches geändert wird: Ihre Karte wird dann Strafkarte.",
        "West must follow suit",
    ),
    "all three played after declarer": Read(
        f"{{hand: S, trick: 5, suit: H, played-after: [W, N, E], {IN_TIME}}}",
        "It was noticed in time. South, follow suit; your card goes back to your hand, there is no penalty. West, you may change your card. South, you may change dummy's only if West does. East, you may change your card.",
        "Es wurde rechtzeitig bemerkt. Süd, bedienen Sie; Ihre Karte geht ohne Strafe in die Hand zurück. West, Sie dürfen Ihre Karte ändern. Süd, die des Tisches nur, wenn West ändert. Ost, Sie dürfen Ihre Karte ändern.",
        "South must follow suit",
    ),
    "an opponents' claim that is not final": Read(
        "{hand: S, trick: 5, suit: H, next-trick: no, played-after: [], claim: by-opponents-open, noticed: during-play}",
        "The claim is not final yet, so the revoke is put right first; then I settle the claim, any doubt against North–South. South, follow suit; your card goes back to your hand, there is no penalty.",
        "Der Claim ist noch nicht endgültig: Zuerst wird berichtigt, dann entscheide ich den Claim, im Zweifel gegen Nord–Süd. Süd, bedienen Sie; Ihre Karte geht ohne Strafe in die Hand zurück.",
        "South must follow suit",
    ),
    "his partner objects to the concession": Read(
        "{hand: W, trick: 5, suit: H, next-trick: no, played-after: [], claim: conceded-partner-objected, noticed: before-next-trick}",
        "There was no concession: play goes on. It was noticed in time. West, take the card back and follow suit; leave it face up: a major penalty card, to be played at the first legal opportunity.",
        "Es gab keine Abgabe: Es wird weitergespielt. Es wurde rechtzeitig bemerkt. West, nehmen Sie die Karte zurück und bedienen Sie; sie bleibt offen liegen: als Hauptstrafkarte, bei erster zulässiger Gelegenheit zu spielen.",
        "West must follow suit",
    ),
    "declarer named a card": Read(
        "{hand: S, trick: 4, suit: H, next-trick: designated, noticed: during-play, claim: none, won-by: W, later-tricks: 2}",
        "The revoke is established: South has named a card for the next trick. South did not win that trick himself, but his side won a later one: one trick goes to East–West.",
        "Das Revoke ist vollendet: Süd hat eine Karte für den nächsten Stich benannt. Süd hat den Stich nicht selbst gewonnen, seine Seite aber einen späteren: Ein Stich geht an Ost–West.",
        "One trick to East–West",
    ),
    "one in time, one established": Read(
        f"{{hand: W, trick: 4, suit: H, won-by: W, later-tricks: 2, {ESTABLISHED}}}, {{hand: W, trick: 7, suit: C, played-after: [], {IN_TIME}}}",
        "The revoke at trick 7 was noticed in time. West, take the card back and follow suit; leave it face up: a major penalty card, to be played at the first legal opportunity. The revoke at trick 4 is established: East–West have played on. West won that trick himself, and East–West won another one later: two tricks go to North–South.",
        "Das Revoke in Stich 7 wurde rechtzeitig bemerkt. West, nehmen Sie die Karte zurück und bedienen Sie; sie bleibt offen liegen: als Hauptstrafkarte, bei erster zulässiger Gelegenheit zu spielen. Das Revoke in Stich 4 ist vollendet, denn Ost–West haben weitergespielt. West hat diesen Stich selbst gewonnen, und Ost–West später noch einen: Zwei Stiche gehen an Nord–Süd.",
        "West must follow suit",
    ),
    "three of one side": Read(
        f"{{hand: W, trick: 4, suit: H, won-by: W, {ESTABLISHED}}}, {{hand: E, trick: 7, suit: C, won-by: W, {ESTABLISHED}}}, {{hand: E, trick: 8, suit: D, won-by: W, later-tricks: 1, {ESTABLISHED}}}",
        "All three revokes are established. Two tricks for West's at trick 4. One trick for East's at trick 7. One trick for East's at trick 8. In all four tricks go to North–South.",
        "Alle drei Revokes sind vollendet. Zwei Stiche für das von West in Stich 4. Ein Stich für das von Ost in Stich 7. Ein Stich für das von Ost in Stich 8. Insgesamt gehen vier Stiche an Nord–Süd.",
        "Four tricks to North–South",
    ),
    "again and again": Read(
        f"{{hand: W, trick: 5, suit: H, won-by: N, later-tricks: 2, {ESTABLISHED}}}, {{hand: W, trick: 7, suit: H, won-by: N, later-tricks: 2, {ESTABLISHED}}}, {{hand: W, trick: 8, suit: H, won-by: N, later-tricks: 2, {ESTABLISHED}}}",
        "The first revoke counts: one trick. The two later ones in the same suit add nothing by themselves; if it cost North–South more, tell me.",
        "Das erste Revoke zählt: ein Stich. Die zwei späteren in derselben Farbe kosten keinen weiteren Stich; hat es Nord–Süd mehr gekostet, sagen Sie es mir.",
        "One trick to North–South",
    ),
    "an adjusted score": Read(
        f"{{hand: W, trick: 5, suit: H, won-by: W, later-tricks: 1, {ESTABLISHED}}}",
        "The revoke is established: East–West have played on. I adjust the score: North–South get twelve tricks. Four spades making twelve: 480.",
        "Das Revoke ist vollendet: Ost–West haben weitergespielt. Ich berichtige den Score: Nord–Süd bekommen zwölf Stiche. Vier Pik plus zwei: 480.",
        "Adjusted score: twelve tricks for North–South",
        "tricks: 9, board: 8, equity-tricks: 12",
    ),
    "it hinges on who won": Read(
        "{hand: W, trick: 5, suit: H, later-tricks: 2, next-trick: played, noticed: during-play, claim: none}",
        "The revoke is established: East–West have played on. One or two tricks to North–South. Please leave the cards as they are. I have to know one thing: Whose card won the trick?",
        "Das Revoke ist vollendet: Ost–West haben weitergespielt. Ein oder zwei Stiche an Nord–Süd. Lassen Sie die Karten bitte, wie sie sind. Eines muss ich wissen: Wessen Karte gewann den Stich?",
        "One or two tricks to North–South",
    ),
}


def read(text: str, lang: str) -> Announcement:
    ruling = rule(law(), read_incident(text, "text", laws().table))
    return Announcement(ruling, speaker_of(lang).of(ruling))


def said(text: str, lang: str) -> str:
    return " ".join(line.text for line in read(text, lang).lines)


@pytest.mark.thorough
@pytest.mark.parametrize("name", RULINGS)
def test_it_is_read_out_so(name: str) -> None:
    one = RULINGS[name]
    board = ", ".join(filter(None, ("contract: 4S, declarer: S", one.board)))
    text = f"{{{board}, revokes: [{one.revokes}]}}"
    assert (said(text, "en"), said(text, "de")) == (one.en, one.de)
    assert read(text, "en").head == one.head


UNNAMED = {
    "{player: declarer, next-trick: no, noticed: before-next-trick}": (
        "It was noticed in time. Declarer, follow suit; your card goes back to your hand, there is no penalty. Whoever played after declarer may change that card; the partner, only if the player before him does.",
        "Es wurde rechtzeitig bemerkt. Alleinspieler, bedienen Sie; Ihre Karte geht ohne Strafe in die Hand zurück. Wer nach dem Alleinspieler zugegeben hat, darf die Karte ändern, der Partner nur, wenn der Spieler vor ihm ändert.",
    ),
    "{player: dummy, next-trick: played, won-by: opponent, later-tricks: 2}": (
        "The trick stays as it was played. For a card of dummy's no trick goes over by itself. Did it cost the defenders a trick? Then I will restore it.",
        "Der Stich bleibt, wie er gespielt ist. Für eine Karte des Dummys geht kein Stich von selbst über. Hat es die Gegenspieler einen Stich gekostet? Dann gleiche ich es aus.",
    ),
}


@pytest.mark.parametrize("revoke", UNNAMED)
def test_nobody_is_spoken_to_who_has_not_been_named(revoke: str) -> None:
    assert (said(f"{{revokes: [{revoke}]}}", "en"), said(f"{{revokes: [{revoke}]}}", "de")) == UNNAMED[revoke]


CHANGED = """{contract: 4S, declarer: S, deal: "N:QJ74.K83.AQ5.K62 63.QJ94.T973.Q98 AKT95.A72.K6.A53 82.T65.J842.JT74",
  play: [W HT H8 S6 HA], events: [EVENTS]}"""


def test_nobody_is_told_that_he_may_change_who_has_changed() -> None:
    changes = ["attention: {by: S}", "corrected: {by: E, withdrawn: S6, played: H4}"]
    one = said(CHANGED.replace("EVENTS", ", ".join(f"{{{change}}}" for change in changes)), "en")
    changes.append("withdrawn: {by: S, card: HA, played: H2}")
    two = said(CHANGED.replace("EVENTS", ", ".join(f"{{{change}}}" for change in changes)), "en")
    assert "South, you may change your card." in one
    assert "change" not in two


def test_nobody_calls_while_the_director_asks_about_a_call() -> None:
    asked = said('{dealer: N, auction: "1S [1H] 3D"}', "en")
    assert asked.endswith("Please, no more calls for the moment. I have to know one thing: Is the new call comparable?")


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
