## Züge einer laufenden Partie
points-counted = { $points ->
    [one] { $points } Punkt
   *[other] { $points } Punkte
}
move-lays = { $player } legt { $tiles }
move-tile = auf { $square }: { $tile }
move-field = auf { $square }: nur Wiese
move-wonder = { $wonder } auf { $squares }
move-sets = { $lays }; gesetzt: { $pieces }
move-big = großer Meeple als { $role }
move-piece = { $piece } ({ $place })
move-marks = markiert: { $piece }
move-points = { points-counted } für { $player } ({ $rule })
move-back = zurück von { $square }: { $piece }
move-back-other = zurück an { $player } von { $square }: { $piece }
move-goods = erhält { $goods }
move-again = ist noch einmal am Zug
role-road = Wegelagerer
role-city = Ritter
role-monastery = Mönch
role-field = Bauer

## Verlauf einer laufenden Partie
log-round = Runde { $n }
log-road = { $tiles ->
    [one] eine Straße aus { $tiles } Plättchen
   *[other] eine Straße aus { $tiles } Plättchen
}
log-city = { $tiles ->
    [one] eine Stadt aus { $tiles } Plättchen
   *[other] eine Stadt aus { $tiles } Plättchen
}
log-monastery = ein Kloster
log-garden = einen Garten
log-finishes = { $player } vollendet { $feature }: { points-counted }
log-gets = { $player } bekommt { points-counted } für { $feature }, vollendet von { $other }
log-other = { $player } bekommt { points-counted } ({ $rule })
log-final = Schlusswertung: { $scores }
log-score = { $player } { $points }
log-total = { $player } { $running } + { $final } = { $total }
log-wins = { $player } gewinnt
log-shared = { $players } gewinnen gemeinsam
log-if-assumed = { $result }, wenn das Offene so war wie vermutet

## Züge auf der Kommandozeile
moves-between = { $before } bis { $after }
moves-open = offen: { $text }
moves-nothing = nichts wurde gespielt
moves-points-at = Punkte bei { $photo }: { $scores }
moves-unknown = nicht bekannt
moves-range = { $low } bis { $high }
moves-with-final = mit der Schlusswertung: { $scores }: { $result }
moves-assumed = { $n ->
    [one] { $n } Figur wurde vermutlich gesetzt und zurückgenommen (streiche sie mit --not-taken REIHE,SPALTE)
   *[other] { $n } Figuren wurden vermutlich gesetzt und zurückgenommen (streiche eine mit --not-taken REIHE,SPALTE)
}
moves-refused = Korrektur { $n } ({ $kind }) wurde nicht angewendet: { $text }
moves-set-aside = beiseitegelegt: { $photo }: { $reason }
moves-likely = { $what } ({ $likely })
moves-nothing-else = keines
