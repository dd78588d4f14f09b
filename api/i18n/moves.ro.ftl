## Mutările unui joc în desfășurare
points-counted = { $points ->
    [one] { $points } punct
    [few] { $points } puncte
   *[other] { $points } de puncte
}
move-lays = { $player } așază { $tiles }
move-tile = pe { $square }: { $tile }
move-field = pe { $square }: doar câmp
move-wonder = { $wonder } pe { $squares }
move-sets = { $lays }; pune { $pieces }
move-big = meeple mare ca { $role }
move-piece = { $piece } ({ $place })
move-marks = marchează cu { $piece }
move-points = { points-counted } pentru { $player } ({ $rule })
move-back = înapoi de pe { $square }: { $piece }
move-back-other = înapoi la { $player } de pe { $square }: { $piece }
move-goods = primește { $goods }
move-again = mai mută o dată
role-road = tâlhar
role-city = cavaler
role-monastery = călugăr
role-field = țăran

## Desfășurarea unui joc
log-round = Runda { $n }
log-road = { $tiles ->
    [one] un drum de { $tiles } cartonaș
    [few] un drum de { $tiles } cartonașe
   *[other] un drum de { $tiles } de cartonașe
}
log-city = { $tiles ->
    [one] un oraș de { $tiles } cartonaș
    [few] un oraș de { $tiles } cartonașe
   *[other] un oraș de { $tiles } de cartonașe
}
log-monastery = o mănăstire
log-garden = o grădină
log-finishes = { $player } finalizează { $feature }: { points-counted }
log-gets = { $other } finalizează { $feature }: { $player } primește { points-counted }
log-other = { $player } primește { points-counted } ({ $rule })
log-final = Punctare finală: { $scores }
log-score = { $player } { $points }
log-total = { $player } { $running } + { $final } = { $total }
log-wins = câștigă { $player }
log-shared = câștigă împreună { $players }
log-if-assumed = { $result }, dacă presupunerile sunt corecte

## Mutări în linia de comandă
moves-between = de la { $before } la { $after }
moves-open = nesigur: { $text }
moves-nothing = nu s-a jucat nimic
moves-points-at = puncte la { $photo }: { $scores }
moves-unknown = necunoscute
moves-range = între { $low } și { $high }
moves-with-final = cu punctarea finală: { $scores }: { $result }
moves-assumed = { $n ->
    [one] Se presupune că { $n } piesă a fost pusă și luată înapoi (o respingi cu --not-taken RÂND,COLOANĂ)
    [few] Se presupune că { $n } piese au fost puse și luate înapoi (respingi una cu --not-taken RÂND,COLOANĂ)
   *[other] Se presupune că { $n } de piese au fost puse și luate înapoi (respingi una cu --not-taken RÂND,COLOANĂ)
}
moves-refused = corectura { $n } ({ $kind }) nu a fost aplicată: { $text }
moves-set-aside = lăsată deoparte: { $photo }: { $reason }
moves-likely = { $what } ({ $likely })
moves-nothing-else = niciunul
