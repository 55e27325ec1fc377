"""What the program looks up in ``rules/words.yaml`` whatever it is asked: every phrase, and names of values.

Who looks something up cannot be asked when the words are read, since most of the program is not loaded then. So it is
written down here, and ``tests/explain/test_words.py`` reads the program and its templates and fails unless this is just
what they look up, and just what the shipped words hold.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, get_args

from facts.cards import SEATS, SUITS, Denomination, Side
from facts.play import Oddity
from kb.language.model import Encoding

_PHRASES: Final = """
irregular law law-of-the-day law-of-the-day-instead law-of-the-day-none law-of-the-day-chosen
tricks no-revoke nothing-ruled no-revoke-done no-revoke-seen moves adjusted
settled-otherwise settled-in-time exempt correct corrected exempt-otherwise correct-otherwise corrected-otherwise
correct-unless-accepted
none-moved none-moved-otherwise none-yet goes-on undecided result result-unchanged score board now reasons
director weighted passed-out score-unknown evidence evidence-line evidence-ruled evidence-range
evidence-forced evidence-cards
evidence-replay evidence-replay-none evidence-replay-end evidence-proves equity-card equity-tricks equity-line
evidence-not-computed open presumed presumed-trick revoke-line automatic capped observed unless counted receipt
asks-declarer asks-hand asks-noticed-yet asks-rest asks-trick certain-corrected certain-established
certain-must-correct either-way from-to hinges if-so if-it still-open nobody noticed-now noticed-played-on of-revoke
revoke-number or-more perhaps spoken-at-least spoken-at-most spoken-asks spoken-made spoken-over spoken-down
head-range head-none-or-one head-between head-up-to head-hinges head-ahead head-ahead-none spoken-ahead
spoken-asks-cards spoken-ahead-none spoken-play-on tricks-entered
desk-ruling-say desk-ruling-enter desk-ruling-now desk-draft-working desk-workshop-added

book-contents book-in-force book-amends book-elections book-letters book-rule book-when book-unless book-then book-said
book-note book-minute book-source book-around book-changes book-failing book-fails book-gone book-rule-gone
book-family book-family-about book-renamed
book-rule-new book-same-words book-struck book-added book-changed
book-reason book-recalled book-applied book-observed book-rests-on book-rested-on book-claimed
book-cases book-more-cases
book-was book-new book-number book-repealed book-definitions book-machinery book-or book-other-than book-less
book-at-most book-more
book-at-least book-before book-not-after book-after book-not-before book-total book-count

compare-title compare-alike compare-sentence compare-in-tricks compare-weighed compare-stricter compare-milder
compare-incomparable compare-equal compare-in compare-never compare-share compare-share-least compare-cell-least
compare-group-ways compare-group-ways-alike compare-all-situations compare-in-everything compare-tricks-alone
compare-clause compare-what-becomes compare-when-so compare-looked compare-changed compare-renamed compare-collide
compare-apart compare-unrelated compare-code
compare-none compare-space compare-verified compare-unverified compare-ruling compare-judgement compare-without-effect
compare-group-ruling compare-group-judgement compare-no-revoke compare-else compare-asked compare-when compare-except
compare-and compare-or compare-not compare-example compare-example-else compare-cases
compare-first compare-answer compare-becomes compare-become compare-more

prove-title prove-count prove-holds prove-expected prove-refuted prove-needless prove-empty prove-because prove-case
prove-refuted-in-cases prove-ordinary prove-except prove-except-cases prove-needless-exception prove-for-instance
prove-beside prove-situations prove-pairs prove-clauses

appeal-contract appeal-result appeal-trick appeal-led appeal-first appeal-played appeal-then
appeal-one-more appeal-some-more appeal-unknown day
appeal-facts appeal-law appeal-ruling class-established class-tricks class-law class-tempts
editor-steps editor-provenance earlier later why-not why-applies why-no-rule why-rule why-holds why-missing why-blocked
why-would why-would-when why-if why-open why-unknown why-one why-several why-and why-now why-more
why-part why-late why-before
why-tricks if-before if-after if-came if-went if-without if-same unfold-title unfold-card unfold-end unfold-came
unfold-went unfold-stake unfold-correction unfold-until unfold-settled unfold-still unfold-never
unfold-laws

html-title html-contract html-dealer html-vulnerable html-deal html-tricks html-trick html-key html-key-revoke
html-led html-won
html-wrong html-steps html-steps-how html-first html-back html-on html-last html-change html-proof html-sign html-date

ask-title ask-ruling ask-back ask-restart ask-needs-script ask-number ask-matters ask-certain ask-least ask-status
ask-might ask-would ask-keys ask-key-why ask-key-unknown ask-key-back ask-key-restart ask-key-quit ask-not-a-key
ask-answered ask-more ask-key-proof ask-key-law ask-key-answers
ask-several ask-ordinarily ask-ending ask-endings ask-remaining ask-separates
ask-and ask-saved ask-not-saved ask-exporting

flow-so-far flow-so-far-usual flow-if-nothing flow-either flow-in-time flow-established flow-none
flow-goes flow-at-least flow-up-to flow-may-establish flow-may-none flow-may-fewer flow-may-more
flow-may-correct flow-dropped

audit-title audit-looked-at audit-found audit-settled audit-verified audit-unverified
audit-of-the-day audit-revokes audit-slips
audit-not-ruled audit-none audit-unknown audit-folder audit-place audit-board audit-revoker audit-card audit-status
audit-automatic audit-ruling audit-slip audit-boards audit-lines audit-by-role audit-by-trick audit-by-automatic
audit-by-settled audit-progress audit-unseen audit-goes-on audit-lost

chart-or chart-one-title chart-one-says chart-goes-on chart-yes chart-no chart-then
chart-otherwise chart-no-trick chart-box-revoke chart-box-core chart-box-unknown-to-law chart-box-established
chart-box-corrected chart-box-cards chart-box-all-the-same chart-box-free
chart-and chart-after chart-second-free chart-both-free

class-yes class-yes-but class-yes-put-right class-in-time class-no-tricks class-perhaps quiz-and-wins quiz-then-noticed
class-corrected class-open class-none class-card class-tempting
quiz-title quiz-answers quiz-number quiz-begins quiz-contract quiz-dummy quiz-next quiz-back quiz-deal quiz-about
quiz-level quiz-size quiz-seed quiz-make quiz-others quiz-slides quiz-sheet quiz-gift quiz-anki
quiz-cards
quiz-question class-choice quiz-choosing
quiz-answer

desk-door-label desk-door-button desk-door-wrong desk-door-wait desk-door-first desk-refused desk-first-page
desk-too-large desk-too-slow desk-bad-form desk-unknown-host desk-forwarded desk-forged desk-failed desk-name desk-skip
desk-language partly-translated desk-areas desk-menu desk-area-ask desk-area-trick desk-area-record desk-area-register
desk-area-law desk-area-chart desk-area-class desk-area-workshop desk-leave desk-next desk-ask-of-it
desk-pages desk-cancel desk-choose desk-law-choice desk-faults desk-fault-title desk-fault-says desk-busy-title
desk-busy-says desk-missing-title desk-missing-says desk-start-ask desk-start-trick
desk-start-record
desk-flow-change desk-flow-change-law desk-flow-before desk-flow-turn desk-flow-keys desk-flow-keys-says
desk-flow-keys-on desk-flow-keys-off desk-record-text desk-record-file desk-law-as-told
desk-record-rule desk-record-paste
desk-record-example desk-record-more desk-boards-title desk-trick-contract desk-trick-declarer
desk-trick-trick desk-trick-leader desk-trick-cards desk-trick-no-more desk-trick-revoker desk-trick-revoker-help
desk-trick-unknown desk-trick-by desk-trick-number desk-trick-led desk-trick-followed desk-trick-followed-says
desk-hinge-title desk-hinge-find desk-hinge-decide desk-ruling-share
desk-ruling-judge desk-ruling-trick desk-seat-title desk-seat-level desk-seat-strain desk-seat-doubled
desk-result-half desk-result-no-contract desk-result-no-board desk-result-clash desk-result-wrong desk-result-odd
desk-result-stay desk-fault-value desk-fault-there desk-fault-mend desk-fault-without
desk-trick-add desk-trick-follows desk-trick-against desk-trick-cards-hold desk-trick-answer-holds
desk-seat-undoubled desk-seat-tricks desk-seat-not-yet desk-seat-of-board desk-seat-go
desk-keep desk-explain desk-why-not desk-what-if desk-to-ruling
desk-voices desk-voice-full desk-why-not-title desk-why-not-clause desk-why-not-go desk-why-not-says
desk-if-title desk-if-says desk-if-events desk-if-drop
desk-if-board desk-if-unknown desk-if-law desk-if-card desk-if-other desk-if-go desk-if-more desk-if-adopt desk-if-then
desk-if-instead desk-if-other-ruling desk-field-event desk-field-round desk-field-table desk-field-board
desk-field-called-by desk-field-note desk-field-judgement desk-keep-go desk-kept
desk-register-search desk-register-find desk-register-count desk-register-files desk-register-csv
desk-register-json desk-register-backup desk-newer desk-older desk-page-of desk-entry-title desk-entry-table
desk-entry-unnamed desk-entry-version desk-entry-recorded desk-entry-old desk-entry-newest desk-entry-correct
desk-entry-appeal desk-entry-history desk-entry-facts desk-correct-title desk-correct-says desk-correct-facts
desk-correct-of desk-correct-file desk-correct-again desk-correct-go desk-correct-overtaken
desk-register-failed-title desk-register-failed-says desk-not-kept desk-register-head desk-entry-unreadable
desk-entry-altered desk-appeal-head-of-register
desk-appeal-title desk-appeal-print desk-appeal-changed desk-appeal-grounds
desk-law-book desk-law-search desk-law-find desk-law-found desk-law-index
desk-law-whole desk-law-checked desk-law-offline desk-law-offline-says desk-law-offline-save desk-law-offline-open
desk-away-title desk-away-says desk-away-again desk-law-chart desk-law-ask
desk-law-compare desk-law-compare-says desk-law-compare-go desk-law-a desk-law-b
desk-workshop-says
desk-workshop-new desk-workshop-name desk-workshop-amends desk-workshop-clause desk-workshop-no-clause
desk-workshop-begin desk-draft-amends desk-draft-files desk-draft-saved desk-draft-overtaken desk-draft-well
desk-draft-save desk-draft-check desk-draft-cases desk-draft-compare desk-draft-rule desk-draft-back desk-draft-new-file
desk-draft-new-go desk-cases-count desk-cases-none desk-claims desk-claims-says desk-claims-none desk-claims-rule
desk-claims-refuted desk-claims-needless desk-claims-empty desk-claims-expected desk-claims-holds
desk-register-event desk-register-list desk-no-result desk-field-day desk-field-ruling desk-field-time desk-keep-more
desk-keep-stays desk-next-call desk-paper-slip desk-paper-share desk-share-title desk-share-says desk-share-alone
desk-share-long desk-share-address desk-share-file desk-slip-enter desk-appeal-head desk-appeal-at desk-appeal-third
desk-appeal-side desk-appeal-comment desk-appeal-received desk-appeal-deposit desk-appeal-signed desk-appeal-fourth
desk-appeal-stands desk-appeal-changed-to desk-appeal-weighted desk-appeal-returned desk-appeal-kept desk-appeal-reasons
desk-appeal-chair desk-appeal-member desk-appeal-time
desk-verify desk-verify-says desk-verify-text desk-verify-go desk-verify-line desk-verify-holds desk-verify-fails
desk-verify-looked-at desk-verify-evidence
why-further
"""
PHRASES: Final = tuple(_PHRASES.split())

NAMES: Final[Mapping[str, Collection[str]]] = {
    "seat": SEATS,
    "side": get_args(Side),
    "suit": SUITS,
    "symbol": get_args(Denomination),
    "rank": "AKQJT",
    "in-words": tuple(map(str, range(13))),
    "counting": "1",
    "strain": get_args(Denomination),
    "strain-of-one": get_args(Denomination),
    "doubled": ("X", "XX"),
    "one-card": SUITS,
    "chart-sentence": (),
    "level": ("easy", "middle", "hard"),
    "any": ("seat", "side", "suit", "card", "integer"),
    "field": (),
    "encoding": get_args(Encoding),
    "vulnerable": ("none", "NS", "EW", "both"),
    "oddity": tuple(Oddity),
    "slip-kind": tuple(one for one in Oddity if one != Oddity.LEAD_FROM_WRONG_HAND),
    "status-word": ("open",),
    "settled": ("automatic", "adjusted", "otherwise", "exempt", "not-established", "open"),
    "not-computed": ("no-library", "solver-failed", "not-known", "not-in-order"),
    "stage": (),
    "standing": (
        *("declarer", "dummy", "revoker", "partner", "defender", "declaring", "defending"),
        *("trick", "trick-of", "next-trick", "any-trick", "card"),
    ),
    "month": tuple(map(str, range(1, 13))),
    "voice": (),
    "board-key": ("board", "contract", "declarer", "vulnerable", "tricks", "equity-tricks"),
}
"""Type -> values that have a name; the words of a vocabulary have one besides. Empty where it is not for the program
to say which: names of fields, and of what files declare."""
