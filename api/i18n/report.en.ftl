### What the report says, in English. Every message is in every language; values in { $braces } are filled in.
square = row { $row }, column { $col }

## What lies on the table
kind-road = road
kind-city = city
kind-field = field
kind-monastery = monastery
kind-garden = garden
kind-wonder = wonder
kind-river = river
kind-inside = inside of a wonder
kinds-road = Roads
kinds-city = Cities
kinds-monastery = Monasteries
kinds-garden = Gardens
kinds-wonder = Wonders
kinds-field = Fields
side-N = north
side-E = east
side-S = south
side-W = west
piece-meeple = meeple
piece-big = big meeple
piece-abbot = abbot
piece-builder = builder
piece-pig = pig
piece-mayor = mayor
piece-wagon = wagon
piece-barn = barn
pose-standing = standing
pose-lying = lying
pose-upside_down = upside down
pose-disc = disc
goods-wine = wine
goods-grain = grain
goods-cloth = cloth
goods-chicken = chicken
goods-gold = gold bars
goods-king = king
goods-baron = robber baron
goods-other = other points
wonder-stonehenge = Stonehenge
wonder-notre-dame = Notre-Dame
wonder-circus-maximus = Circus Maximus
wonder-alhambra = Alhambra
wonder-abu-simbel = Abu Simbel
wonder-tikal = Tikal
wonder-angkor-wat = Angkor Wat
wonder-terracotta-army = Terracotta Army
colour-red = red
colour-blue = blue
colour-green = green
colour-yellow = yellow
colour-black = black
colour-pink = pink
colour-purple = purple
colour-white = white
colour-grey = grey
colour-orange = orange
colour-brown = brown
colour-wood = plain wood
colour-clear = clear

## Questions
ask-tile = Which tile is this?
ask-wonder = This looks like { $wonder }: is it?
ask-wonders = Is one of these wonders here?
ask-wonder-edges = What does the edge of { $wonder } show?
ask-coat = Is there a coat of arms on it?
ask-coat-beneath = Is there a coat of arms beneath it? Lift the piece and look.
ask-wonder-coat = { $squares ->
    [1] Is there a coat of arms on this square { of-the-wonder }?
   *[other] Is there a coat of arms in this city { of-the-wonder }?
}
ask-wonder-coats = Which cities { of-the-wonder } have a coat of arms?
of-the-wonder = { $id ->
    [alhambra] of the Alhambra
    [terracotta-army] of the Terracotta Army
   *[other] of { $wonder }
}
ask-meeple = What stands here?
ask-there = Is there a piece here?
ask-place = Where does it stand?
ask-either = { $one } or { $other }?
ask-kind = Which piece is this?
ask-colour = Which colour is this piece?
ask-marker = Whose piece lies on this wonder?
ask-player = Which colour is this player?
player-nobodys = no player's
player-absent = { $player } did not play
ask-pile = How many lie here?
ask-special = { $kind ->
    [big] Which of these is the big meeple?
    [builder] Which of these is the builder?
    [pig] Which of these is the pig?
   *[abbot] Which of these is the abbot?
}
ask-players = How many people played, including those without a piece left? { $wonder } scores by that number.
ask-tiles_in_play = How many tiles was the game played with? { $wonder } scores more from 120 tiles.
ask-box_rules = Did you play with the rules of { $boxes }? The rules of the wonders leave them out.
ask-laps = How many times has { $player } gone round the score board?
ask-space = On which space of the score board does this piece stand: { $player }?
ask-border = { $sides ->
    [one] Does the board go on beyond this side?
   *[several] Does the board go on where the photo shows too little?
}

## Answers to a question
tile-field = only a field
tile-fields = { $n ->
    [one] a single field
   *[other] { $n } fields
}
tile-curve = curve from { $one } to { $other }
tile-straight = road from { $one } to { $other }
tile-fork = branching road to { $sides }
tile-roads = { $n ->
    [one] road from { $sides }
   *[other] roads from { $sides }
}
tile-river = river ({ $sides })
tile-city = { $coats ->
    [0] { tile-city-sides }
    [one] { tile-city-sides } with a coat of arms
   *[other] { tile-city-sides } with { $coats } coats of arms
}
tile-city-sides = { $n ->
    [0] city
    [4] city on all sides
   *[other] city in the { $sides }
}
wonder-place = { $wonder }, starting at { square }
wonder-edge = { $kind } at the { $side } of { square }
wonder-coat = coat of arms in the city at { square }
wonder-no-coat = no coat of arms
coats-there = { $n ->
    [0] no coat of arms
    [1] a coat of arms
   *[other] { $n } coats of arms
}
tile-drawn = as drawn
tile-without = no { $part }
printed-sides = { $kind } ({ $sides })
printed-coat = coat of arms
printed-inn = inn
printed-cathedral = cathedral
printed-pig = pig herd
printed-goods = goods
tile-none = no tile
tile-unknown = an unknown tile
meeple-none = no meeple
doubt-together = { $one }, together with { $other } in { square }
pile-count = { $n ->
    [0] no piece ({ $colour })
    [one] one piece ({ $colour })
   *[other] { $n } pieces ({ $colour })
}
special-piece = { square }: { $piece }
special-none = none of these
players-counted = { $n ->
    [one] { $n } player
   *[other] { $n } players
}
tiles_in_play-counted = { $n ->
    [120] 120 tiles or more
    [one] { $n } tile, as many as lie here
   *[other] { $n } tiles, as many as lie here
}
box_rules-counted = { $n ->
    [1] with these rules
   *[other] with the tiles only, without these rules
}
laps-gone = { $points ->
    [one] { $points } point
   *[other] { $points } points
}, { $n ->
    [0] not round yet
    [1] round once
    [2] round twice
   *[other] round { $n } times
}
border-ends = { $sides ->
    [one] No, it ends here
   *[several] No, the photo shows all of it
}
border-goes-on = { $sides ->
    [one] Yes: then its points cannot be known. Add a photo of that side.
   *[several] Yes, { $side ->
        [left] on the left
        [top] at the top
        [right] on the right
       *[bottom] at the bottom
    }: then its points cannot be known. Add a photo of that side.
}
place-nowhere = no known feature
wonder-none = no wonder
value-nothing = nothing
value-yes = yes
value-no = no
piece-place = { $side ->
    [blank] { $kind }
   *[other] { $kind }, { $side }
}
meeple-placed = { $side ->
    [blank] { $piece } ({ $colour }): { $kind }
   *[other] { $piece } ({ $colour }): { $kind }, { $side }
}

## Rules
rule-road-finished = Finished road
rule-road-unfinished = Unfinished road
rule-city-finished = Finished city
rule-city-unfinished = Unfinished city
rule-monastery-finished = Finished monastery
rule-monastery-unfinished = Unfinished monastery
rule-garden-finished = Finished garden
rule-garden-unfinished = Unfinished garden
rule-abbot-recalled = Abbot taken back
rule-field-farm = Farmers
rule-field-city = Farmers around a city
rule-field-barn = Barn
rule-monastery-abbot = Abbot of a special monastery
rule-goods-majority = Goods
rule-gold-bars = Gold bars
rule-king-cities = King
rule-baron-roads = Robber baron
rule-other-points = Other points
rule-wonder-circus-maximus = Circus Maximus
rule-wonder-alhambra = Alhambra
rule-wonder-angkor-wat = Angkor Wat
rule-wonder-terracotta-army = Terracotta Army
rule-wonder-notre-dame = Notre-Dame
rule-wonder-stonehenge = Stonehenge
rule-wonder-tikal = Tikal

## What sums are made of
tiles-counted = { $tiles ->
    [one] { $tiles } tile
   *[other] { $tiles } tiles
}
coats-counted = { $coats ->
    [one] { $coats } coat of arms
   *[other] { $coats } coats of arms
}
cities-counted = { $cities ->
    [one] { $cities } finished city
   *[other] { $cities } finished cities
}
farmers-counted = { $farmers ->
    [one] { $farmers } farmer
   *[other] { $farmers } farmers
}
rows-counted = { $rows ->
    [one] { $rows } row
   *[other] { $rows } rows
}
columns-counted = { $columns ->
    [one] { $columns } column
   *[other] { $columns } columns
}
inn-too = { $inn ->
    [0] { "" }
   *[other] { " " }(inn)
}
cathedral-too = { $cathedral ->
    [0] { "" }
   *[other] { " " }(cathedral)
}
pig-too = { $pig ->
    [0] { "" }
   *[other] { " " }(pig)
}
siege-too = { $siege ->
    [0] { "" }
   *[other] { " " }(besieged)
}
besieged-too = { $besieged ->
    [0] { "" }
   *[other] , { $besieged } besieged, twice
}
vineyards-too = { $vineyards ->
    [0] { "" }
    [one] { " " }+ { $vineyards } vineyard × { $each }
   *[other] { " " }+ { $vineyards } vineyards × { $each }
}
before-too = { $before ->
    [0] { "" }
   *[other] , { $before } counted before
}
names-too = { $names ->
    [blank] { "" }
   *[other] : { $names }
}
rows-too = { $row_numbers ->
    [blank] { "" }
   *[other] ; row { $row_numbers }
}
columns-too = { $column_numbers ->
    [blank] { "" }
   *[other] ; column { $column_numbers }
}

## Sums of entries
entry-road-finished = { tiles-counted } × { $each }{ inn-too }
entry-road-unfinished = { tiles-counted } × { $each }{ inn-too }
entry-city-finished = { $coats ->
    [0] { tiles-counted } × { $each }{ cathedral-too }{ siege-too }
   *[other] ({ tiles-counted } + { coats-counted }) × { $each }{ cathedral-too }{ siege-too }
}
entry-city-unfinished = { $coats ->
    [0] { tiles-counted } × { $each }{ cathedral-too }{ siege-too }
   *[other] ({ tiles-counted } + { coats-counted }) × { $each }{ cathedral-too }{ siege-too }
}
around-counted = { $around ->
    [one] 1 + { $around } tile around
   *[other] 1 + { $around } tiles around
}
entry-monastery-finished = { around-counted }{ vineyards-too }
entry-monastery-unfinished = { around-counted }{ vineyards-too }
entry-garden-finished = { around-counted }
entry-garden-unfinished = { around-counted }
entry-abbot-recalled = { around-counted }
entry-field-farm = { cities-counted } × { $each }{ pig-too }{ before-too }{ besieged-too }
entry-field-city = { farmers-counted } around the city{ pig-too }
entry-field-barn = { cities-counted } × { $each }{ besieged-too }
entry-monastery-abbot = { $cross ->
    [one] 1 + { $cross } tile in its row and column
   *[other] 1 + { $cross } tiles in its row and column
}
entry-goods-majority = { $tokens ->
    [one] most { $goods }: { $tokens } token
   *[other] most { $goods }: { $tokens } tokens
}
entry-gold-bars = { $bars ->
    [one] { $bars } gold bar × { $each }
   *[other] { $bars } gold bars × { $each }
}
entry-king-cities = { cities-counted }
entry-baron-roads = { $roads ->
    [one] { $roads } finished road
   *[other] { $roads } finished roads
}
entry-other-points = as entered
entry-wonder-circus-maximus = { $meeples ->
    [one] { $meeples } meeple of others in unfinished cities × { $each }
   *[other] { $meeples } meeples of others in unfinished cities × { $each }
}
entry-wonder-alhambra = { farmers-counted } × { $each }
entry-wonder-angkor-wat = { $roads ->
    [one] { $roads } long road × { $each }{ names-too }
   *[other] { $roads } long roads × { $each }{ names-too }
}
entry-wonder-terracotta-army = ({ rows-counted } + { columns-counted }) × { $each }{ rows-too }{ columns-too }
entry-wonder-notre-dame = beside a monastery
entry-wonder-stonehenge = an occupied road finished
entry-wonder-tikal = { $meeples ->
    [one] { $meeples } meeple in cities × { $each }
   *[other] { $meeples } meeples in cities × { $each }
}

## Explanations of a feature
explain-cities = { $n ->
    [0] No finished city touches this field: a farm here scores nothing.
    [one] One finished city counts for the farm: { $names }.
   *[other] { $n } finished cities count for the farm: { $names }.
}
explain-each = { $herds ->
    [0] Each finished city scores { $each } points.
   *[other] Each finished city scores { $each } points, because a pig herd is printed here.
}
explain-by-city = Under these rules each of them pays { $each } points to the player with the most farmers on all the fields around it.
explain-pig = With { $player }'s pig, each city scores { $each } points for { $player }.
explain-mayor = { $coats ->
    [0] A mayor counts as much as the city has coats of arms: here nothing.
    [one] A mayor counts as much as the city has coats of arms: here one.
   *[other] A mayor counts as much as the city has coats of arms: here { $coats }.
}
explain-besieged = A besieged city counts twice for a farm: { $names }.
explain-hill = The players are tied, and a hill settles it for { $players }.
explain-pieces = { $kind ->
    [big] { $n ->
        [one] { $n } big meeple
       *[other] { $n } big meeples
    }
    [abbot] { $n ->
        [one] { $n } abbot
       *[other] { $n } abbots
    }
    [mayor] { $n ->
        [one] { $n } mayor
       *[other] { $n } mayors
    }
    [wagon] { $n ->
        [one] { $n } wagon
       *[other] { $n } wagons
    }
   *[meeple] { $n ->
        [one] { $n } meeple
       *[other] { $n } meeples
    }
}
explain-counts = { $big ->
    [0] { $player } has { $pieces } here.
   *[other] { $player } has { $pieces } here, with a strength of { $strength }. A big meeple counts as two.
}
explain-no-follower = { $player }'s { $piece } is no follower and does not count towards the majority.
explain-box-rules = The game was played without the rules of { $boxes }, so they do not count here.
explain-alone = Only { $player } counts here, and so has the majority.
explain-majority = { $player } has the majority, { $most } to { $next }.
explain-tie = { $players } are tied with { $most } each: all of them score in full.
explain-scores = { $points ->
    [one] { $player } scores one point: { $sum }.
   *[other] { $player } scores { $points } points: { $sum }.
}
explain-nobody = Nobody has a follower here, so nobody scores.
explain-would = { $points ->
    [one] The player with the majority would score one point: { $sum }.
   *[other] The player with the majority would score { $points } points: { $sum }.
}
explain-across = { $across ->
    [empty] no tile lies there
    [unknown] the tile there is not known
    [unseen] the photo does not show it
    [field] a field lies there
    [road] a road lies there
    [city] a city lies there
    [river] a river lies there
   *[inside] the inside of a wonder lies there
}
explain-the-wonder = { $id ->
    [alhambra] the Alhambra
    [terracotta-army] the Terracotta Army
   *[other] { $wonder }
}
explain-holds = { $player } holds { explain-the-wonder }.
explain-holds-and-scores = { $points ->
    [one] { $player } holds { explain-the-wonder } and scores one point for it.
   *[other] { $player } holds { explain-the-wonder } and scores { $points } points for it.
}
explain-unheld = { $lack ->
    [disputed] Pieces of several players lie on { explain-the-wonder }, so it scores for nobody.
    [said] Nobody was entered as the owner of { explain-the-wonder }, so it scores for nobody.
   *[unmarked] No marker lies on { explain-the-wonder }, so it scores for nobody.
}
explain-as-owner = As its owner, each player would score: { $players }.
explain-player-points = { $points ->
    [one] { $player } { $points } point
   *[other] { $player } { $points } points
}
explain-in-play = { explain-the-wonder } scores nothing at the end of the game, whoever holds it.
explain-during = { $id ->
    [notre-dame] It counts during the game only: 3 points for each meeple that its owner places beside a monastery.
    [stonehenge] It counts during the game only: 3 points for each occupied road that its owner finishes.
    [tikal] It counts during the game only: 2 points for each of its owner's meeples in cities, whenever a city of 3 tiles or more with one of them is scored.
   *[abu-simbel] It counts during the game only: each turn its owner chooses between two tiles.
}
explain-piece-in = { $player } in { $square }
explain-circus-maximus = { $players ->
    [one] With one player, each meeple of another player in an unfinished city scores { $each } points
   *[other] With { $players } players, each meeple of another player in an unfinished city scores { $each } points
}, and there { $n ->
    [0] is none.
    [one] is one: { $pieces }.
   *[other] are { $n }: { $pieces }.
}
explain-alhambra = { $size ->
    [large] In a game of { $large } tiles or more
   *[small] In a game of fewer than { $large } tiles
} ({ $tiles } here), each of its owner's farmers scores { $each } points, and there { $n ->
    [0] is none.
    [one] is one: { $pieces }.
   *[other] are { $n }: { $pieces }.
}
explain-angkor-wat = Each road of { $least } tiles or more scores { $each } points, finished or not, and there { $n ->
    [0] is none.
    [one] is one: { $names }.
   *[other] are { $n }: { $names }.
}
explain-terracotta-army = Each row and each column with at least { $least } tiles side by side scores { $each } points, and there { $n ->
    [0] is none.
    [one] is one: { $lines }.
   *[other] are { $n }: { $lines }.
}
explain-line-row = row { $index }
explain-line-column = column { $index }
explain-standing = { $player }: { $final } in the final scoring + { $track } on the score track = { $total }{ $place ->
    [0] { "" }
   *[other] { ", place " }{ $place }
}
explain-turned = { $tile }, turned { $turns } × 90°
explain-problem = problem: { $text }
explain-legend-doubtful = { $n ->
    [one] { $n } doubtful spot
   *[other] { $n } doubtful spots
}
explain-legend-unknown = { $n ->
    [one] { $n } unknown spot
   *[other] { $n } unknown spots
}
explain-legend-problems = { $n ->
    [one] { $n } problem
   *[other] { $n } problems
}
explain-legend-open = the score may change
explain-head-feature = Feature
explain-head-counts = Counts
explain-head-rule = Rule
explain-head-square = Square
explain-head-tile = Tile
explain-head-part = Part
explain-head-line = Line
explain-head-runs = Tiles side by side
explain-size = size { $n }
explain-empty = nothing lies there
failed-title = Error:
failed-meant = Did you mean { $word }?
try-photo_not_found = Try: check the file's name and its folder.
try-file_not_found = Try: check the file's name and its folder.
try-cannot_write = Try: name a file in a folder that you may write to.
try-photo_ambiguous = Try: name the photo with its folder.
try-models_missing = Try: install Wondertally again.
try-models_damaged = { try-models_missing }
try-game_not_enrolled = Try: wondertally enrol board --help
try-versions_differ = Try: install the same version on each worker, with the same enrolments, then run the same command again.
try-worker_unfit = Try: install Wondertally again on each worker, then run the same command again.
try-PassingError = Try: run the same command again.
try-internal_error = Try: the same command once more; if it fails again, report this line with the command and its files.
try-PhotoError = Try: open the picture in a viewer and save it again as a JPEG, or take the photo again.
try-ReadingError = Try: photograph the whole board from above in even light, with a little table around it.
try-ScoringError = Try: compare your text with the examples in docs/commands.md.
try-RulesetError = Try: wondertally rules lists the rule sets, docs/commands.md the boxes.
try-CalibrationError = Try: install Wondertally again.
try-CatalogueError = Try: compare the file with the example in docs/wonder-files.md.
try-ComponentsError = Try: compare the file with the example in docs/games.md.
try-PlayError = Try: correct this move in the record; those before it are right.
try-RecordError = Try: correct this line of the record.
try-InputError = Try: add --help to the command for its options.
try-EnrolmentError = Try: wondertally enrol --help
try-QuestionError = Try: wondertally explain without a choice lists every feature, square and player.
try-FragmentError = Try: copy the whole link again.
try-BatchError = Try: wondertally batch --help
try-ClusterError = Try: start the scheduler and its workers, then run the same command again.
try-ReportError = Try: write the report again with wondertally score --json.
try-ServerError = Try: start the server again; its log names the reason.
try-ServingError = Try: compare the server's settings with docs/settings.md.
explain-written = explanation: { $file }
explain-drawn = picture: { $file }
nothing-outvoted = { $player } gets nothing, with { $mine } against { $most } ({ $leaders }).
nothing-no_city = { $player } gets nothing, because no finished city touches the field.
nothing-farmers_outvoted = { $player } gets nothing, because others have more farmers around these cities.
nothing-counted_before = { $player } gets nothing here, because all its cities already count for another of their farms.
nothing-inn = { $player } gets nothing: a road with an inn scores only when it is finished.
nothing-cathedral = { $player } gets nothing: a city with a cathedral scores only when it is finished.
nothing-no_follower = { $player } gets nothing, because a { $piece } is no follower.
nothing-box_rules = { $player } gets nothing, because the game was played without the rules of { $boxes }.
nothing-in_play = { $player } gets nothing at the end: { $wonder } scores during the game only.
nothing-wonder = { $player } gets nothing, because nothing on the board scores for { $wonder }.
nothing-disputed = { $player } gets nothing, because pieces of several players lie on { $wonder }.
nothing-nowhere = { $player } gets nothing for a piece that stands on no known feature.

## Where the rules stand
explain-section-base-road = Base game, scoring a road
explain-section-base-final-roads = Base game, final scoring: roads
explain-section-base-city = Base game, scoring a city
explain-section-base-final-cities = Base game, final scoring: cities
explain-section-base-monastery = Base game, scoring a monastery
explain-section-base-final-monasteries = Base game, final scoring: monasteries
explain-section-base-final-farms = Base game, final scoring: farms
explain-section-first-final-farms = Base game of the first edition, final scoring: farms
explain-section-abbot-garden = The Abbot, scoring a garden
explain-section-abbot-final = The Abbot, final scoring
explain-section-abbot-back = The Abbot, taking the abbot back
explain-section-inns-inns = Inns & Cathedrals, inns
explain-section-inns-cathedrals = Inns & Cathedrals, cathedrals
explain-section-traders-pig = Traders & Builders, pig
explain-section-traders-goods = Traders & Builders, final scoring: goods
explain-section-gold-bars = The Gold Mines, final scoring
explain-section-king-final = King & Robber Baron, final scoring
explain-section-entered = As entered by the players
explain-section-river-herd = The River II, pig herd
explain-section-abbey-barn = Abbey & Mayor, barn
explain-section-siege-cities = The Siege, scoring a city
explain-section-siege-farmers = The Siege, farmers
explain-section-hills-vineyards = Hills & Sheep, vineyards
explain-section-monasteries-abbot = Monasteries in Germany, abbots
explain-section-wonders-during = The Wonders of Humanity, scoring during the game
explain-section-wonders-after = The Wonders of Humanity, scoring after the game
explain-section-wonders-notre-dame = { explain-section-wonders-during }: { wonder-notre-dame }
explain-section-wonders-stonehenge = { explain-section-wonders-during }: { wonder-stonehenge }
explain-section-wonders-tikal = { explain-section-wonders-during }: { wonder-tikal }
explain-section-wonders-circus-maximus = { explain-section-wonders-after }: { wonder-circus-maximus }
explain-section-wonders-alhambra = { explain-section-wonders-after }: { wonder-alhambra }
explain-section-wonders-angkor-wat = { explain-section-wonders-after }: { wonder-angkor-wat }
explain-section-wonders-terracotta-army = { explain-section-wonders-after }: { wonder-terracotta-army }

## Problems of a board
features-too = { $features ->
    [blank] { "" }
   *[other] { " " }{ $features } may continue there and count only as far as they are known.
}
problem-wonder_damaged = The enrolled layout of { $wonder } is damaged and was not used: enrol this wonder again, or take it back.
problem-tiles_not_used = The number of tiles in play was given as { $number }, but { $there } lie here, so it was not used.
problem-owner_not_used = { $player ->
    [blank] Nobody was entered as the owner of { $wonder }
   *[other] { $player } was entered as the owner of { $wonder }
} before the photo was read, but the wonder was not found. The entry counts as soon as it lies here.
problem-possible_wonder = A wonder may lie here, although other tiles were read.
problem-wonder_unmarked = No piece marks { $wonder }: who owns it?
problem-edge_mismatch = Edges do not match: { $here } against { $there }.
problem-more_than_the_box = One tile lies here { $number } times, but only { $held } exist: { $tile }.
problem-several_boxes = More tiles of { $kinds } kinds lie here than their boxes hold: two copies of a box were mixed, or the tiles are of another box.
problem-several_base_games = { $games ->
    [2] Two base games seem to lie here
   *[other] { $games } base games seem to lie here
}: { $tiles } of their tiles, but one game has { $held }.
problem-island = { $tiles ->
    [one] One tile is cut off from the others.
   *[other] { $tiles } tiles are cut off from the others.
}
problem-tiles_lacking = { $tiles ->
    [one] One of the game's { $whole } tiles is missing here: it may have been overlooked.
   *[other] { $tiles } of the game's { $whole } tiles are missing here: they may have been overlooked.
}
problem-broken_wonder = { $squares ->
    [one] Only one of the 5 squares of { $wonder } lies here.
   *[other] Only { $squares } of the 5 squares of { $wonder } lie here.
}
problem-beyond_the_picture = { $tiles ->
    [one] One tile lies at the edge of the picture or too far away to see past it: anything beyond it is not counted.
   *[other] { $tiles } tiles lie at the edge of the picture or too far away to see past them: anything beyond them is not counted.
}
problem-meeple_without_tile = A meeple ({ $colour }) stands where no tile lies.
problem-meeple_without_feature = A meeple ({ $colour }) stands on no known feature.
problem-too_many_meeples = { $colour }: { $number } × { $piece }, but a player has only { $most }.
problem-tile_unknown = This tile is unknown and scores nothing.{ features-too }
problem-tile_not_scored = This tile belongs to { $box }, which is not scored here.{ features-too }
problem-box_not_scored = The tiles of { $box } count as land, but its own rules for the end of the game are not scored here.
problem-piece_not_scored = A { $piece } belongs to { $box }, which is not scored here.
problem-impossible_meeple = { $piece } ({ $colour }), { $pose }: not possible on this kind of feature ({ $below }).
problem-lonely_piece = { $piece } ({ $colour }) stands where no meeple of that colour stands.
problem-unmarked_wonder = No marker stands on { $wonder }, so it scores for nobody.
problem-disputed_wonder = { $markers } markers stand on { $wonder }, which has one owner.
problem-too_many_wonders = { $player } has marked { $wonders } wonders; at most two are allowed.
problem-too_many_players = Pieces of { $number } colours stand here, but { $most ->
    [one] only one person
   *[other] { $most } people
} played.
problem-complete_but_occupied = { $feature } ({ $kind }) is finished, but meeples still stand on it.

## What the scoring took for granted
assumed-players = { $players ->
    [one] Circus Maximus is counted for one player, because only one colour stands here.
   *[other] Circus Maximus is counted for { $players } players, the number of colours here.
}
assumed-tiles_in_play = Alhambra is counted for a game of { $tiles ->
    [one] { $tiles } tile
   *[other] { $tiles } tiles
}, as many as lie here.
assumed-goods = { $tokens ->
    [one] No goods are counted, although finished cities show one.
   *[other] No goods are counted, although finished cities show { $tokens }.
}
assumed-holdings = Nothing is counted for what players hold of { $box }: enter it under “Players”.
assumed-box_rules = The rules of { $boxes } are counted, although nobody said that they were played.

## Problems of the score track
problem-track_piece_missing = No piece was found on the score board for: { $player }.
problem-track_not_sure = The piece on the score board may stand on { $spaces } ({ $player }).
problem-track_too_many = { $player } on { $spaces } of the score board: the board can have brought { $most ->
    [one] { $most } point
   *[other] { $most } points
} at most.
problem-track_laps_unknown = { $player } on { $space } of the score board is counted as { $points ->
    [one] { $points } point
   *[other] { $points } points
}; another lap would make it { $others }.
problem-track_stranger = A piece on the score board, but none on the tiles: { $player } (on { $spaces }).
problem-token_not_sure = The photo does not show for certain whose token of { $points ->
    [one] { $points } point
   *[other] { $points } points
} this is.
problem-report_differs = The report says { $totals }, but its board gives different points.

## Problems of moves between photos
problem-tiles_vanish = Tiles of an earlier photo are gone.
problem-tile_changed = Another tile than before lies here.
problem-unknown_tile = This tile is not known. Correct it, and the game goes on.
problem-piece_on_old_tile = A piece was set on a tile that lay there before.
problem-piece_gone_early = A piece was taken back before its feature was finished.
problem-piece_stays = A piece still stands on a finished feature.
problem-no_way = No turns that the rules allow lead from one photo to the next.
problem-points_too_few = A player laid a wonder without having the points for it: check the points at the first photo.
problem-too_much_played = Too much was played between the photos to try every way.
problem-order = The order of the turns is not known.
problem-record_ends = The record ends here.
problem-unseen_piece = { $player } may have set a { $piece } at { square } ({ $place }) and taken it back: the points between the two photos are then { $scores }.
problem-assumed_piece = Assumed: { $player } set a { $piece } at { square } ({ $place }) and took it back for { $points ->
    [one] { $points } point
   *[other] { $points } points
} ({ $likely }).
problem-points_differ = { $player } is said to have { $points ->
    [one] { $points } point
   *[other] { $points } points
} at { $photo }, but with { $before } at { $since } the moves give { $possible }.
problem-wonder_taken = { $player } has the points for a wonder: which one was taken?
problem-track_differs = The score track at { $photo } shows points for { $player } that the moves do not give.
log-photo = photo { $n }
problem-photo_moved = { $photo } was taken { $where ->
    [before] before
   *[after] after
} { $near }, so it is put there.
problem-turn_differs = { $player } is said to be on turn at { $photo }, but the moves before give { $other }: the game goes on with { $player }.
problem-pieces_cleared = The last photo shows no piece: they were cleared away, and count as before.
problem-doubtful_tile = { $case ->
    [unknown] The tile may be another one: { $others }.
    [out] This may be { $reads }, but the moves leave no room for a tile here: none is counted.
   *[read] The tile is taken for { $reads }; it may be another: { $others }.
}
problem-doubtful_time = The tile may have been laid at another time.
problem-doubtful_piece = { $case ->
    [assumed] The photos show { $instead }, but the moves fit { $read }, which is counted.
   *[seen] This is taken for { $read }; it may be { $instead } ({ $likely }).
}
problem-players_not_named = The players were not named: they are taken from the meeples seen.
problem-box_rules_unsaid = Nobody said whether the rules of { $box } were played, and they change the points.
problem-on_turn = It is not known whose turn it was at the first photo.
problem-kinds_not_told = Big meeples, builders and pigs are counted as plain meeples.

## Errors: the photo
error-photo_not_found = Photo not found.
error-photo_unreadable = The photo cannot be opened.
error-empty_file = The file is empty.
error-not_an_image = The file is not a picture.
error-unsupported_image = Only JPEG, PNG, WebP and HEIC pictures can be read.
error-heif_missing = This server cannot read HEIC photos. Send the photo as a JPEG: on an iPhone, choose Settings, Camera, Formats, Most Compatible.
error-too_large = The picture is too large.
error-truncated_image = The end of the picture is missing: it was not sent completely.
error-broken_image = The picture is damaged.
error-costly_image = Opening this picture takes too long: save it again as a plain JPEG, and send that.
error-board_not_found = No board was found in the photo.
error-board_too_large = There are more tiles here than a board can have.
error-photos_do_not_join = The photo shows another board than the others, or too little of theirs.
error-photos_out_of_order = Tiles of one photo are missing in the next: the photos are not in chronological order.
error-same_photo = The same photo was given twice.
error-not_needed = Another photo shows the board better: that one was read.

## Errors: what was asked for
error-unsupported_game = This game cannot be scored here.
error-file_not_found = File not found.
error-cannot_write = The file cannot be written.
error-output_twice = Two outputs would be written to the same file: name another file for one of them.
error-bad_usage = The command cannot be understood.
error-models_missing = The trained nets are missing.
error-models_damaged = A file of the trained nets is damaged: please install Wondertally again.
error-photo_ambiguous = Several photos have that name.
error-order_unknown = Name the tiles in the photo.
error-board_does_not_fit = The squares in the photo are arranged differently from those of the board.
error-turn_not_clear = The board fits the photo in several ways.
error-board_contradicts_photo = Most tiles in the photo look different from those given.
error-nothing_to_enrol = There is no named tile to enrol.
error-report_disagrees = The report's tiles and its notation describe different boards.
error-piece_does_not_fit = This piece does not match its shape in the components file.
error-pieces_not_taught = This game has no pieces that need enrolling.
error-report_for_photo = This is a report, but a photo is needed here: name the photos it was read from.
error-photo_wanted = The report's photo is missing.
error-bad_name = That name cannot be used.
error-enrolment_exists = That name is taken.
error-no_such_enrolment = There is no enrolment of that name.
error-spaces_invalid = The file of the score board's spaces is invalid.
error-bad_corners = The corners given are not four corners of a board in this photo.
error-spaces_not_in_order = The path must begin with space 0, and its numbers must increase.
error-space_off_board = A space of the path is outside the board.
error-spaces_too_near = Two spaces lie on top of each other, or almost.
error-laps_do_not_fit = The length of a lap is neither the number of spaces nor the last of them.
error-print_too_plain = The photo shows too little detail to recognise the score board or token.
error-bad_score_token = A token is worth 1 to 500 points.
error-token_not_seen = The photo does not show a single token on a plain background of another colour.
error-bad_enrolment = The enrolment is damaged, or comes from another version.
error-bad_enrolment-wonder = The enrolled layout of this wonder is damaged: enrol it again, or take it back.
error-enrolment_not_empty = A folder with files is in the place of an enrolment's file: please remove it.
error-cannot_write_enrolment = The enrolment cannot be saved.
error-game_not_enrolled = The empty board of this game is not enrolled on this machine yet.
error-no_such_picture = This game has no board of that name.
error-no_such_mark = The board has nothing of that name to point at.
error-no_such_value = The board has no printed number of that name.
error-size_not_told = The marked shape cannot be the card: its four corners do not lie in the photo, or the board would be impossibly small or large. Tap a bank card that lies next to the board, or type in the board's size.
error-board_incomplete = Parts of this board are still missing.
error-shape_empty = One of the shapes has no squares yet: tap those that the tile covers, or remove the shape.
error-shape_not_connected = The squares of this shape are not connected: each one must share a side with another.
error-shape_too_large = A tile's shape can be at most five squares long and wide.
error-shape_twice = You have drawn this shape twice: turning a tile does not make it another shape.
error-nothing_to_take_back = There is no change left to undo: this is how it began.
error-board_file_invalid = This is not a file of a game's board, or it is damaged.
error-bad_report = The file is not a report that can be read.
error-bad_square = A square is given by its row and column.
error-no_such_feature = The board has no feature of that name.
error-nothing_there = There is nothing of that kind on that square.
error-no_such_player = No player has that colour.
error-wrong_photo = The report was made from another photo.
error-players_needed = Name the players in turn order: the photos do not show it.
error-bad_players = Two to six different colours are needed.
error-too_few_photos = Moves are found between photos: at least two are needed.
error-too_wide_to_draw = The board is too wide to be drawn.
error-bad_track = Points on the score track are given as a colour and a whole number.
error-negative_track = Points cannot be negative.
error-track_twice = The points of one colour are given twice.
error-bad_player_count = The number of players must be a whole number from 1 to 12.
error-bad_tile_count = The number of tiles in play must be a whole number from 1 to 1000.
error-bad_goods = Goods are given as a colour, a kind of goods and a number.
error-goods_twice = One kind of goods is given twice for the same colour.
error-bad_owner = The owner of a wonder is given by the wonder's name and a colour.
error-owner_twice = The owner of a wonder is given twice.
error-bad_table = The label states impossible facts about the table.

## Errors: corrections
error-square_empty = There is no tile on that square.
error-square_too_far = That square is too far from the board.
error-tile_unknown_name = Unknown tile.
error-no_wonder_there = No wonder lies on that square.
error-bad_wonder_layout = That layout of a wonder cannot be read.
error-wonder_not_there = That wonder is not on the board.
error-meeple_unknown = That meeple is not there.
error-place_unknown = The tile on that square has no such part.
error-colour_unknown = No player has pieces of that colour.
error-too_many_tiles = All boxes together have fewer tiles than that.
error-too_few_tiles = There are more tiles on the table than that: first change how many were in play.
error-too_many_corrections = There are too many corrections.
error-wonder_there = A wonder lies on that square.
error-photo_unknown = The game has no photo of that name.
error-photo_set_aside = That photo is set aside.
error-left_aside = You left this photo out.
error-points_fall = Points do not fall: another photo has more before it, or fewer after it.
error-nothing_assumed = No piece was assumed to have been set and taken back on that square.
error-taking_impossible = By the rules, that player cannot have set a piece there and taken it back.
error-bad_corrections = The corrections are not a list of known ones.
error-game_wanted = Name the game.
error-other_game = That does not belong to this game.
error-spot_unknown = The table has no such spot.
error-spot_value_impossible = That cannot lie there.
error-bad_set = A spot is set by its name and a value.
error-component_missing = A number printed on your copy of the game is still missing: add it to the components file.
error-components_invalid = The components file cannot be used.
error-bad_fragment = The link contains no board, or is incomplete.
error-fragment_too_large = The link contains more than any board needs.

## Errors: the server
error-internal_error = Something went wrong here. Try again; if it fails again, report it to the owner of the server.
error-bad_request = The request cannot be understood. Reload the page, and try again.
error-bad_field = A field of the request cannot be read. Check what you entered.
error-body_too_large = That is too much to send at once. Send fewer or smaller photos.
error-conflict = Someone else has changed this in the meantime. Look again, then continue.
error-wrong_code = That code is not valid. Scan the one that the server shows now.
error-cross_site = The request came from a page of another site. Open this page itself.
error-unknown_host = The server does not answer under that name: please use localhost, or add the name to the server's settings.
error-interrupted = The reading was interrupted: please send the photo again.
error-key_wanted = A key is needed for this. The owner of the server can give you one.
error-wrong_key = Unknown key. Check it, or ask the owner of the server for another one.
error-local_only = This can be done only on the server's own machine. Open the page there, or pair this device there.
error-not_found = There is nothing here, or it no longer exists. Check the link.
error-method_not_allowed = That cannot be done here. Reload the page, and try again.
error-not_read_yet = The photo has not been read yet. Wait until it is.
error-table_exists = This event already has that table: add further photos there, and correct there what has changed.
error-already_checked = Somebody has corrected or checked this table. Take that back before you add photos.
error-nothing_to_undo = There is nothing to undo: this is how it began.
error-track_open = The points on the score track are still missing, or not certain. Enter them first.
error-not_ready = The server is not ready to read photos. Try again in a minute.
error-storage_away = The server cannot reach its storage just now: please try again later.
error-storage_full = The server's disk is full: please try again later, or delete readings that nobody needs.
error-not_yours = Only the owner can do this. Ask the owner for the link that permits it.
error-token_wanted = Only the owner can do this. Ask the owner for the link that permits it.
error-scoring_busy = Many boards are being scored: please try again soon.
error-queue_full = Too many photos are waiting: please try again soon.
error-cannot_listen = The server cannot use that address: it is taken, or does not belong to this machine.
error-bad_settings = The server's settings are not valid.
error-photos_not_empty = The folder for photos holds files that are not the server's: please name an empty one.
error-photos_of_another = The photos in that folder belong to another database: please name that database, or an empty folder.
error-reading_crashed = The reading failed: please try another photo.
error-reading_stopped = The reading took too long and was stopped. Send the photo again, or a smaller one.
error-too_many_requests = Too many requests: please wait a little.
error-upload_too_slow = The photo arrived too slowly. Send it again over a faster network.
error-wrong_content_type = That kind of content cannot be read here. Send a photo or a file of the right kind.

## Errors: boards, labels and wonders' files
error-unknown_rules = Unknown rule set.
error-bad_boxes = Give the copies of a box as BOX=NUMBER, each box once: base=2.
error-bad_box_rules = Give the rules of a box as BOX=on or BOX=off, each box once: inns=off.
error-unknown_tile = Unknown tile.
error-unknown_box = Unknown box of tiles.
error-unknown_pose = Unknown pose.
error-unknown_letter = No tile has that letter.
error-unknown_wonder = Unknown wonder.
error-no_such_part = The tile has no such part.
error-no_such_segment = The tile has no such part.
error-no_such_place = The tile has no such part.
error-no_tiles = The board has no tiles.
error-no_tile = No tile lies there.
error-no_rows = The board has no rows.
error-bad_label = The label cannot be read.
error-bad_points = The points by which a label places the board do not fit together.
error-no_photo = The label does not name its photo.
error-bad_notation = The line of text cannot be read.
error-bad_meeple = A meeple cannot be read.
error-bad_tile = A tile cannot be read.
error-bad_origin = The board's first square cannot be read.
error-bad_place = A place cannot be read.
error-bad_row = A row cannot be read.
error-bad_turn = A tile's turn cannot be read.
error-bad_token = A word cannot be read.
error-negative_square = A square lies outside the board.
error-not_on_the_tile = That does not lie on the tile.
error-bad_toml = The wonder's file cannot be read.
error-wonder_file_too_large = That is too long for a wonder's file.
error-bad_edge = An edge in the wonder's file is impossible.
error-bad_marker = The marker in the wonder's file cannot stand there.
error-bad_monastery = A monastery in the wonder's file is impossible.
error-bad_path = A drawing in the wonder's file cannot be read.
error-cannot_be_drawn = No drawing without crossings was found for the wonder's edges.
error-bad_squares = The squares in the wonder's file do not form a wonder tile.
error-bad_value = A value in the wonder's file is impossible.
error-beyond_the_squares = A drawing in the wonder's file goes beyond its squares.
error-contradicts_the_rules = The wonder's file contradicts the rules.
error-missing_key = Something is missing in the wonder's file.
error-unknown_key = The wonder's file has an unknown entry.
error-no_way_out = A road in the wonder's file leads nowhere.
error-on_the_border = A drawing in the wonder's file lies on a border.
error-overlap = Drawings in the wonder's file overlap.

## Errors: playing and game records
error-bad_start = The game cannot begin like that.
error-game_over = The game is over.
error-kept_tile_lost = The tile kept back is not there.
error-must_keep_a_tile = One tile must be kept back.
error-nothing_to_keep = There is no tile to keep back.
error-no_abbot_out = No abbot stands on the board.
error-no_extra_tile = There is no further tile to draw.
error-no_piece_left = No such piece is left.
error-no_such_wonder = Unknown wonder.
error-print_gone = That photo was sent too long ago: photograph the wonder once more, or keep its layout without the picture.
error-wonder_not_seen = That wonder is not seen there: take another photo of it, or write its file.
error-other_wonder = This file is of another wonder.
error-wonder_named = This server was started with a file for this wonder: no other layout of it can be enrolled.
error-not_five_squares = That does not have the outline of five squares: photograph the whole tile by itself, on a plain table.
error-not_in_stack = That tile is not in the stack.
error-not_your_turn = It is another player's turn.
error-one_action = Only one of these can be done in a turn.
error-tile_fits = The tile can be laid.
error-too_few_wonders = There are too few wonders.
error-too_many_meeples = There are too many meeples.
error-wonder_fits = The wonder can be laid.
error-wonder_not_available = That wonder is not available.
error-wonder_not_reached = No wonder has been reached yet.
error-wonder_not_taken = The wonder was not taken.
error-wonder_not_told = It is not stated which wonder was taken.
error-wonder_not_yet = The wonder cannot be laid yet.
error-wonder_twice = The same wonder was given twice.
error-wonder_waits = A wonder waits to be laid.
error-wrong_place = The piece cannot stand there.
error-feature_occupied = Somebody stands there already.
error-no_follower_there = The piece can only go where a meeple of its own colour stands.
error-square_taken = A tile lies on that square already.
error-touches_nothing = A tile has to touch another one along a side.
error-edge_mismatch = The edges of the tiles do not match.
error-river_not_continued = A river tile has to continue the river.
error-river_turns_back = The river must not make a U-turn.
error-bad_head = The head of the record cannot be read.
error-bad_move = A move of the record cannot be read.
error-bad_number = A number in the record cannot be read.
error-bad_scores = Points in the record cannot be read.
error-score_differs = The record's points are not those of the move.
error-total_differs = The record's totals are not those of the game.
error-folder_unreachable = The folder of photos cannot be listed.
error-no_photos = There are no pictures in the folder.
error-bad_listing = The list of photos cannot be used.
error-bad_roster = The roster needs a header with a column “table”; others are event, round, colours, and player 1, player 2 and so on.
error-bad_roster_line = A line of the roster cannot be used.
error-roster_repeats = A table or a player stands twice in one round of the roster.
error-roster_too_long = The roster has too many tables.
error-bad_pattern = The pattern of file names cannot be used.
error-bad_scheduler = That is not a scheduler's address: write it as tcp://host:8786.
error-cluster_missing = Reading on a Dask cluster needs the extra `cluster`: pipx install '.[cluster]'.
error-bad_journal = The journal of an earlier run in the folder is damaged: name another folder.
error-disk_full = The disk of the database is full: please make room on it, then start the server again.
error-storage_read_only = The storage cannot be written to: please make the disk writable, and let the server's user write there.
error-database_newer = The database was migrated by a newer version of Wondertally: please start that version, or restore a copy from before.
error-database_older = The database is of a version before 0.1.0, which this version cannot migrate: please start version 0.6.0 with it once, or name another database.
error-database_unversioned = The database has tables of these names, but does not state their version: please restore a copy of it, or name another database.
error-database_damaged = The database is damaged: please restore a copy of it, or move the file away to start with an empty one.
error-out_in_use = Another run writes to the same folder.
error-would_overwrite = The batch would overwrite files in the output folder that are not its own: name another folder.
error-no_batch = That folder holds no batch.
error-no_event = That folder was not imported as an event.
error-scheduler_unreachable = Nothing answers at the scheduler's address.
error-not_a_scheduler = The answer at that address is not a Dask scheduler's.
error-scheduler_lost = The scheduler is gone. Finished readings are kept: run the same command again.
error-no_workers = The scheduler has no workers.
error-photo_changed = The photo was changed while the batch was running: the next run reads it.
error-reading_failed = The program failed on this photo: the next run tries again.
error-versions_differ = The worker has another version of the program, of its nets or libraries, or other enrolments.
error-worker_unfit = A worker lacks the program or its nets.

## The sheet for the tournament desk
sheet-title = Result
sheet-rules = Rules: { $edition }
sheet-tiles = { $n ->
    [one] { $n } tile
   *[other] { $n } tiles
}
sheet-box-rules = { $played ->
    [yes] with the rules of { $boxes }
   *[no] without the rules of { $boxes }
}
sheet-round = Round { $number }
sheet-table = Table { $number }
sheet-winners = { $n ->
    [one] Winner: { $players }
   *[other] Shared win: { $players }
}
sheet-place = Place
sheet-player = Player
sheet-colour = Colour
sheet-final = Final scoring
sheet-track = Score track
sheet-total = Total
sheet-entries = Entries
sheet-doubts = Doubts left open
sheet-no-doubts = No doubt is left open that can change points.
sheet-may-be = { square }: may be { $instead }.
sheet-player-may-be = All pieces read as { $player }: may be { $instead }.
sheet-player-may-be-absent = { $player } may not have played{ $likely }.
sheet-unknown = { square }: not known.
sheet-coat = { square }: { $question } { $coats ->
    [0] No
   *[other] Yes
}: { $likely }.
spot-and-more = { $spot } and { $n } more
sheet-spot-may-be = { $spot }: may be { $instead }.
sheet-spot-may-partly-be = { $spot }: may in part be { $instead }.
sheet-spot-unknown = { $spot }: not known.
sheet-spots-set = { $n ->
    [one] One count was entered by hand.
   *[other] { $n } counts were entered by hand.
}
sheet-more = { $n ->
    [one] One more is not shown here.
   *[other] { $n } more are not shown here.
}
sheet-several = { $n ->
    [one] { $n } entry
   *[other] { $n } entries
}
sheet-photo = Photo
sheet-corrected = { $n ->
    [one] One tile or meeple was corrected by hand.
   *[other] { $n } tiles and meeples were corrected by hand.
}
sheet-signature = Signature
sheet-referee = Referee
sheet-date = Date

## How likely something is
percent-exactly = { $n }%
percent-more = over { $n }%
percent-less = under { $n }%

## Boxes with rules of their own
box-base = Base game
box-river1 = River I
box-river2 = River II
box-inns = Inns & Cathedrals
box-traders = Traders & Builders
box-abbot = The Abbot
box-abbey = Abbey & Mayor
box-siege = The Siege
box-hills = Hills & Sheep
box-monasteries = special monasteries
