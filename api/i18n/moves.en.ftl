## Moves of a game in progress
points-counted = { $points ->
    [one] { $points } point
   *[other] { $points } points
}
move-lays = { $player } lays { $tiles }
move-tile = the { $tile } at { $square }
move-field = a plain field at { $square }
move-wonder = { $wonder } on { $squares }
move-sets = { $lays }: { $pieces }
move-big = big meeple as { $role }
move-piece = { $piece } on the { $place }
move-marks = marks it with the { $piece }
move-points = { points-counted } for { $player } ({ $rule })
move-back = takes the { $piece } back from { $square }
move-back-other = { $player } takes the { $piece } back from { $square }
move-goods = takes { $goods }
move-again = takes another turn
role-road = thief
role-city = knight
role-monastery = monk
role-field = farmer

## Log of a game in progress
log-round = Round { $n }
log-road = { $tiles ->
    [one] a road of { $tiles }
   *[other] a road of { $tiles }
}
log-city = { $tiles ->
    [one] a city of { $tiles }
   *[other] a city of { $tiles }
}
log-monastery = a monastery
log-garden = a garden
log-finishes = { $player } finishes { $feature }: { points-counted }
log-gets = { $player } gets { points-counted } for { $feature }, which { $other } finishes
log-other = { $player } gets { points-counted } ({ $rule })
log-final = Final scoring: { $scores }
log-score = { $player } { $points }
log-total = { $player } { $running } + { $final } = { $total }
log-wins = { $player } wins
log-shared = { $players } share the win
log-if-assumed = { $result }, if the assumptions are right

## Moves on the command line
moves-between = { $before } to { $after }
moves-open = open: { $text }
moves-nothing = nothing was played
moves-points-at = points at { $photo }: { $scores }
moves-unknown = not known
moves-range = { $low } to { $high }
moves-with-final = with the final scoring: { $scores }: { $result }
moves-assumed = { $n ->
    [one] { $n } piece is assumed to have been set and taken back (deny one with --not-taken ROW,COLUMN)
   *[other] { $n } pieces are assumed to have been set and taken back (deny one with --not-taken ROW,COLUMN)
}
moves-refused = correction { $n } ({ $kind }) was not applied: { $text }
moves-set-aside = set aside: { $photo }: { $reason }
moves-likely = { $what } ({ $likely })
moves-nothing-else = none
