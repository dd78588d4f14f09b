### Tower of Babel, in English. Terms are those of its rule text.

## What lies on the table
wonder-giza = Pyramids of Giza
wonder-colossus = Colossus of Rhodes
wonder-zeus = Statue of Zeus at Olympia
wonder-gardens = Hanging Gardens of Babylon
wonder-mausoleum = Mausoleum of Halicarnassus
wonder-lighthouse = Lighthouse of Alexandria
wonder-artemis = Temple of Artemis at Ephesus
wonder-babel = Tower of Babel
disc-camel = camel
disc-crane = crane
disc-ship = ship
disc-mason = stone mason
disc-camel-crane = camel and crane
disc-camel-ship = camel and ship
disc-camel-mason = camel and stone mason
disc-crane-ship = crane and ship
disc-crane-mason = crane and stone mason
disc-ship-mason = ship and stone mason
card-disc-bonus = Building Disc Bonus
card-points = 5 Victory Points
kind-discs = building discs
kind-card = action cards
spot-parts = { $wonder }, { $player }: building parts of value { $worth }
spot-discs_left = { $wonder }: building discs left
spot-track = { $player }: points on the track
spot-row = Scoring marker: rows moved down
spot-two_coloured = Two-coloured discs
spot-held = { $player }: building discs, { $disc }
spot-cards = { $player }: action cards, { $card }
value-row-light = light space
spots-parts = Building parts
spots-discs_left = Building discs on wonders
spots-track = Victory point track
spots-row = Scoring table
spots-two_coloured = { spot-two_coloured }
ask-spot-two_coloured = Were the two-coloured discs in the game?
spots-held = Building discs of the players
spots-cards = Action cards that score
cell-held = Building discs: { $disc }
cell-cards = Action cards: { $card }
cell-track = Points on the track
sheet-spot-parts = { $value } × { $worth }
sheet-spot-discs_left = { $value } left

## Rules
rule-wonder-most = Most building parts
rule-wonder-tied = Tied for most building parts
rule-wonder-second = Second most building parts
rule-wonder-part = Building parts on a wonder
rule-discs-kind = Building discs of one kind
rule-cards-disc-bonus = Building Disc Bonus
rule-cards-points = 5 Victory Points

## Where the rules stand
explain-section-babel-end = End of the Game
explain-section-babel-cards = Action Cards

## Sums of entries
worth-on-wonder = { $row ->
    [light] { $wonder }: worth { $worth }, light space
   *[other] { $wonder }: worth { $worth }, row { $row }
}
entry-wonder-most = { worth-on-wonder }
entry-wonder-tied = { worth-on-wonder }
entry-wonder-second = { worth-on-wonder }
entry-wonder-part = { worth-on-wonder }
entry-discs-kind = { $two_coloured ->
    [0] { $discs } × { $disc }
   *[other] { $discs } × { $disc } ({ $two_coloured } of two colours)
}
entry-cards-disc-bonus = { $cards ->
    [one] { $cards } card, discs: { $discs } × { $each }
   *[other] { $cards } cards, discs: { $discs } × { $each }
}
entry-cards-points = { $cards } × { $each }

## Problems of a table
problem-too_many_parts = { $player } has { $number } building parts of value { $worth } on wonders; at most { $most } are possible.
problem-too_many_completed = { $number } wonders are completed; at most { $most } are possible.
problem-parts_on_completed = { $wonder } is completed, but building parts worth { $worth } lie there.
problem-marker_elsewhere = The scoring marker has moved down by { $row }, but completed wonders: { $number }.
problem-parts_without_discs = { $wonder }: building parts worth { $worth } and { $taken ->
    [one] { $taken } disc
   *[other] { $taken } discs
} taken do not match; the parts would be worth { $least } to { $most }.
problem-too_many_two_coloured = The players hold { $number } two-coloured discs; at most { $most } are possible.
problem-too_many_discs = The players hold { $number } discs of one kind ({ $disc }); at most { $most } are possible.
problem-discs_do_not_add_up = { $left ->
    [one] { $left } disc lies on wonders
   *[other] { $left } discs lie on wonders
} and { $held } in front of players, but { $all } are in the game.
problem-too_many_cards = The players have { $number } × { $card }; at most { $most } are possible.
problem-no_kind_used_up = Discs of every kind still lie on the wonders ({ $left } in all), so the game is not over: it is scored as if it ended now.

## Errors
error-strange_spot = That cannot lie there.
