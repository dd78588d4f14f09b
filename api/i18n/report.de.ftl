### Was der Bericht sagt, auf Deutsch.
square = Reihe { $row }, Spalte { $col }

## Was auf dem Tisch liegt
kind-road = Straße
kind-city = Stadt
kind-field = Wiese
kind-monastery = Kloster
kind-garden = Garten
kind-wonder = Wunder
kind-river = Fluss
kind-inside = Inneres eines Wunders
kinds-road = Straßen
kinds-city = Städte
kinds-monastery = Klöster
kinds-garden = Gärten
kinds-wonder = Wunder
kinds-field = Wiesen
side-N = Norden
side-E = Osten
side-S = Süden
side-W = Westen
piece-meeple = Meeple
piece-big = großer Meeple
piece-abbot = Abt
piece-builder = Baumeister
piece-pig = Schwein
piece-mayor = Bürgermeister
piece-wagon = Wagen
piece-barn = Scheune
pose-standing = stehend
pose-lying = liegend
pose-upside_down = kopfüber
pose-disc = Scheibe
goods-wine = Wein
goods-grain = Korn
goods-cloth = Stoff
goods-chicken = Huhn
goods-gold = Goldbarren
goods-king = König
goods-baron = Raubritter
goods-other = weitere Punkte
wonder-stonehenge = Stonehenge
wonder-notre-dame = Notre-Dame
wonder-circus-maximus = Circus Maximus
wonder-alhambra = Alhambra
wonder-abu-simbel = Abu Simbel
wonder-tikal = Tikal
wonder-angkor-wat = Angkor Wat
wonder-terracotta-army = Terrakotta-Armee
colour-red = Rot
colour-blue = Blau
colour-green = Grün
colour-yellow = Gelb
colour-black = Schwarz
colour-pink = Rosa
colour-purple = Lila
colour-white = Weiß
colour-grey = Grau
colour-orange = Orange
colour-brown = Braun
colour-wood = Holz
colour-clear = Durchsichtig

## Fragen
ask-tile = Welches Plättchen ist das?
ask-wonder = Das sieht nach { $wonder } aus: Stimmt das?
ask-wonders = Liegt hier eines dieser Wunder?
ask-wonder-edges = Was zeigt der Rand von { $wonder }?
ask-coat = Ist ein Wappen darauf?
ask-coat-beneath = Ist ein Wappen darunter? Heb die Figur an und sieh nach.
ask-wonder-coat = { $squares ->
    [1] Ist auf diesem Feld { of-the-wonder } ein Wappen?
   *[other] Ist in dieser Stadt { of-the-wonder } ein Wappen?
}
ask-wonder-coats = Welche Städte { of-the-wonder } haben ein Wappen?
of-the-wonder = { $id ->
    [alhambra] der Alhambra
    [terracotta-army] der Terrakotta-Armee
    [circus-maximus] des Circus Maximus
   *[other] von { $wonder }
}
ask-meeple = Was steht hier?
ask-there = Steht hier eine Figur?
ask-place = Worauf steht sie?
ask-either = { $one } oder { $other }?
ask-kind = Welche Figur ist das?
ask-colour = Welche Farbe hat diese Figur?
ask-marker = Wessen Figur liegt auf diesem Wunder?
ask-player = Welche Farbe hat dieser Spieler?
player-nobodys = von niemandem
player-absent = { $player } hat nicht mitgespielt
ask-pile = Wie viele liegen hier?
ask-special = { $kind ->
    [big] Welche dieser Figuren ist der große Meeple?
    [builder] Welche dieser Figuren ist der Baumeister?
    [pig] Welche dieser Figuren ist das Schwein?
   *[abbot] Welche dieser Figuren ist der Abt?
}
ask-players = Wie viele haben mitgespielt, auch ohne Figur auf dem Spielfeld? Danach richtet sich { $wonder }.
ask-tiles_in_play = Mit wie vielen Plättchen wurde gespielt? { $wonder } bringt ab 120 mehr.
ask-box_rules = Wurde mit den Regeln von { $boxes } gespielt? Nach den Regeln der Wunder gelten sie nicht.
ask-laps = Wie oft ist { $player } schon um die Wertungstafel gezogen?
ask-space = Auf welchem Feld der Wertungstafel steht diese Figur: { $player }?
ask-border = { $sides ->
    [one] Geht das Spielfeld hinter diesem Rand weiter?
   *[several] Geht das Spielfeld dort weiter, wo das Foto zu wenig zeigt?
}

## Antworten auf eine Frage
tile-field = nur Wiese
tile-fields = { $n ->
    [one] eine einzige Wiese
   *[other] { $n } Wiesen
}
tile-curve = Kurve von { $one } nach { $other }
tile-straight = Straße von { $one } nach { $other }
tile-fork = Straße, die sich nach { $sides } verzweigt
tile-roads = { $n ->
    [one] Straße nach { $sides }
   *[other] Straßen nach { $sides }
}
tile-river = Fluss ({ $sides })
tile-city = { $coats ->
    [0] { tile-city-sides }
    [one] { tile-city-sides } mit Wappen
   *[other] { tile-city-sides } mit { $coats } Wappen
}
tile-city-sides = { $n ->
    [0] Stadt
    [4] Stadt an allen Seiten
   *[other] Stadt im { $sides }
}
wonder-place = { $wonder }, ab { square }
wonder-edge = { $kind } im { $side } von { square }
wonder-coat = Wappen in der Stadt in { square }
wonder-no-coat = kein Wappen
coats-there = { $n ->
    [0] kein Wappen
    [1] ein Wappen
   *[other] { $n } Wappen
}
tile-drawn = wie gezeichnet
tile-without = ohne { $part }
printed-sides = { $kind } ({ $sides })
printed-coat = Wappen
printed-inn = Wirtshaus
printed-cathedral = Kathedrale
printed-pig = Schweineherde
printed-goods = Waren
tile-none = kein Plättchen
tile-unknown = ein unbekanntes Plättchen
meeple-none = kein Meeple
doubt-together = { $one }, zusammen mit { $other } in { square }
pile-count = { $n ->
    [0] keine Figur ({ $colour })
    [one] eine Figur ({ $colour })
   *[other] { $n } Figuren ({ $colour })
}
special-piece = { square }: { $piece }
special-none = keine davon
players-counted = { $n ->
    [one] eine Person
   *[other] { $n } Personen
}
tiles_in_play-counted = { $n ->
    [120] 120 Plättchen oder mehr
   *[other] { $n } Plättchen, so viele wie hier liegen
}
box_rules-counted = { $n ->
    [1] mit diesen Regeln
   *[other] nur mit den Plättchen, ohne diese Regeln
}
laps-gone = { $points ->
    [one] { $points } Punkt
   *[other] { $points } Punkte
}, { $n ->
    [0] noch keine Runde
    [1] eine Runde
   *[other] { $n } Runden
}
border-ends = { $sides ->
    [one] Nein, hier endet es
   *[several] Nein, das Foto zeigt alles
}
border-goes-on = { $sides ->
    [one] Ja: Dann lassen sich die Punkte nicht zählen. Fotografiere auch diese Seite.
   *[several] Ja, { $side ->
        [left] links
        [top] oben
        [right] rechts
       *[bottom] unten
    }: Dann lassen sich die Punkte nicht zählen. Fotografiere auch diese Seite.
}
place-nowhere = kein bekanntes Gebiet
wonder-none = kein Wunder
value-nothing = nichts
value-yes = ja
value-no = nein
piece-place = { $side ->
    [blank] { $kind }
   *[other] { $kind }, { $side }
}
meeple-placed = { $side ->
    [blank] { $piece } ({ $colour }): { $kind }
   *[other] { $piece } ({ $colour }): { $kind }, { $side }
}

## Regeln
rule-road-finished = Fertige Straße
rule-road-unfinished = Unfertige Straße
rule-city-finished = Fertige Stadt
rule-city-unfinished = Unfertige Stadt
rule-monastery-finished = Fertiges Kloster
rule-monastery-unfinished = Unfertiges Kloster
rule-garden-finished = Fertiger Garten
rule-garden-unfinished = Unfertiger Garten
rule-abbot-recalled = Abt zurückgenommen
rule-field-farm = Bauern
rule-field-city = Bauern um eine Stadt
rule-field-barn = Scheune
rule-monastery-abbot = Abt eines besonderen Klosters
rule-goods-majority = Waren
rule-gold-bars = Goldbarren
rule-king-cities = König
rule-baron-roads = Raubritter
rule-other-points = Weitere Punkte
rule-wonder-circus-maximus = Circus Maximus
rule-wonder-alhambra = Alhambra
rule-wonder-angkor-wat = Angkor Wat
rule-wonder-terracotta-army = Terrakotta-Armee
rule-wonder-notre-dame = Notre-Dame
rule-wonder-stonehenge = Stonehenge
rule-wonder-tikal = Tikal

## Woraus Summen bestehen
tiles-counted = { $tiles } Plättchen
coats-counted = { $coats } Wappen
cities-counted = { $cities ->
    [one] { $cities } fertige Stadt
   *[other] { $cities } fertige Städte
}
farmers-counted = { $farmers ->
    [one] { $farmers } Bauer
   *[other] { $farmers } Bauern
}
rows-counted = { $rows ->
    [one] { $rows } Reihe
   *[other] { $rows } Reihen
}
columns-counted = { $columns ->
    [one] { $columns } Spalte
   *[other] { $columns } Spalten
}
inn-too = { $inn ->
    [0] { "" }
   *[other] { " " }(Wirtshaus)
}
cathedral-too = { $cathedral ->
    [0] { "" }
   *[other] { " " }(Kathedrale)
}
pig-too = { $pig ->
    [0] { "" }
   *[other] { " " }(Schwein)
}
siege-too = { $siege ->
    [0] { "" }
   *[other] { " " }(belagert)
}
besieged-too = { $besieged ->
    [0] { "" }
   *[other] , davon { $besieged } belagert und doppelt
}
vineyards-too = { $vineyards ->
    [0] { "" }
    [one] { " " }+ { $vineyards } Weinberg × { $each }
   *[other] { " " }+ { $vineyards } Weinberge × { $each }
}
before-too = { $before ->
    [0] { "" }
   *[other] , { $before } schon gewertet
}
names-too = { $names ->
    [blank] { "" }
   *[other] : { $names }
}
rows-too = { $row_numbers ->
    [blank] { "" }
   *[other] ; Reihe { $row_numbers }
}
columns-too = { $column_numbers ->
    [blank] { "" }
   *[other] ; Spalte { $column_numbers }
}

## Summen der Einträge
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
around-counted = 1 + { $around } Plättchen ringsum
entry-monastery-finished = { around-counted }{ vineyards-too }
entry-monastery-unfinished = { around-counted }{ vineyards-too }
entry-garden-finished = { around-counted }
entry-garden-unfinished = { around-counted }
entry-abbot-recalled = { around-counted }
entry-field-farm = { cities-counted } × { $each }{ pig-too }{ before-too }{ besieged-too }
entry-field-city = { farmers-counted } um die Stadt{ pig-too }
entry-field-barn = { cities-counted } × { $each }{ besieged-too }
entry-monastery-abbot = 1 + { $cross } Plättchen in seiner Reihe und Spalte
entry-goods-majority = meiste Waren ({ $goods }): { $tokens }
entry-gold-bars = { $bars ->
    [one] { $bars } Goldbarren × { $each }
   *[other] { $bars } Goldbarren × { $each }
}
entry-king-cities = { cities-counted }
entry-baron-roads = { $roads ->
    [one] { $roads } fertige Straße
   *[other] { $roads } fertige Straßen
}
entry-other-points = wie eingegeben
entry-wonder-circus-maximus = { $meeples } Meeple anderer in unfertigen Städten × { $each }
entry-wonder-alhambra = { farmers-counted } × { $each }
entry-wonder-angkor-wat = { $roads ->
    [one] { $roads } lange Straße × { $each }{ names-too }
   *[other] { $roads } lange Straßen × { $each }{ names-too }
}
entry-wonder-terracotta-army = ({ rows-counted } + { columns-counted }) × { $each }{ rows-too }{ columns-too }
entry-wonder-notre-dame = neben einem Kloster
entry-wonder-stonehenge = eine besetzte Straße fertiggestellt
entry-wonder-tikal = { $meeples } Meeple in Städten × { $each }

## Erklärungen
explain-cities = { $n ->
    [0] Keine fertige Stadt grenzt an diese Wiese: Bauern bringen hier nichts.
    [one] Eine fertige Stadt zählt für die Bauern: { $names }.
   *[other] { $n } fertige Städte zählen für die Bauern: { $names }.
}
explain-each = { $herds ->
    [0] Jede fertige Stadt bringt { $each } Punkte.
   *[other] Jede fertige Stadt bringt { $each } Punkte, weil hier eine Schweineherde abgebildet ist.
}
explain-by-city = Nach diesen Regeln gibt es für jede davon { $each } Punkte: für die meisten Bauern auf allen Wiesen ringsum.
explain-pig = Mit dem Schwein von { $player } bringt jede Stadt { $player } { $each } Punkte.
explain-mayor = { $coats ->
    [0] Ein Bürgermeister zählt so viel, wie die Stadt Wappen hat: hier nichts.
    [one] Ein Bürgermeister zählt so viel, wie die Stadt Wappen hat: hier eins.
   *[other] Ein Bürgermeister zählt so viel, wie die Stadt Wappen hat: hier { $coats }.
}
explain-besieged = Eine belagerte Stadt zählt für Bauern doppelt: { $names }.
explain-hill = Es steht gleich, und ein Hügel entscheidet für { $players }.
explain-pieces = { $kind ->
    [big] { $n ->
        [one] { $n } großen Meeple
       *[other] { $n } große Meeple
    }
    [abbot] { $n ->
        [one] { $n } Abt
       *[other] { $n } Äbte
    }
    [mayor] { $n } Bürgermeister
    [wagon] { $n } Wagen
   *[meeple] { $n } Meeple
}
explain-counts = { $big ->
    [0] { $player } hat hier { $pieces }.
   *[other] { $player } hat hier { $pieces }, zusammen { $strength }: Ein großer Meeple zählt doppelt.
}
explain-no-follower = Die Figur „{ $piece }“ von { $player } zählt nicht für die Mehrheit.
explain-box-rules = Gespielt wurde ohne die Regeln von { $boxes }: Sie zählen hier nicht.
explain-alone = Nur { $player } zählt hier und hat damit die Mehrheit.
explain-majority = { $player } hat die Mehrheit, { $most } zu { $next }.
explain-tie = { $players } haben gleich viel, je { $most }: Alle bekommen die vollen Punkte.
explain-scores = { $points ->
    [one] { $player } bekommt einen Punkt: { $sum }.
   *[other] { $player } bekommt { $points } Punkte: { $sum }.
}
explain-nobody = Hier steht keine Figur, die zählt, also bekommt niemand Punkte.
explain-would = { $points ->
    [one] Für die Mehrheit gäbe es einen Punkt: { $sum }.
   *[other] Für die Mehrheit gäbe es { $points } Punkte: { $sum }.
}
explain-across = { $across ->
    [empty] dort liegt kein Plättchen
    [unknown] das Plättchen dort ist unbekannt
    [unseen] das Foto zeigt es nicht
    [field] dort liegt eine Wiese
    [road] dort liegt eine Straße
    [city] dort liegt eine Stadt
    [river] dort liegt ein Fluss
   *[inside] dort liegt das Innere eines Wunders
}
explain-the-wonder = { $id ->
   *[other] das Wunder { $wonder }
}
explain-holds = { $player } besitzt { explain-the-wonder }.
explain-holds-and-scores = { $points ->
    [one] { $player } besitzt { explain-the-wonder } und bekommt dafür einen Punkt.
   *[other] { $player } besitzt { explain-the-wonder } und bekommt dafür { $points } Punkte.
}
explain-unheld = { $lack ->
    [disputed] Für { explain-the-wonder } bekommt niemand Punkte: Darauf liegen Figuren mehrerer Spieler.
    [said] Für { explain-the-wonder } bekommt niemand Punkte: Laut Angabe gehört es niemandem.
   *[unmarked] Für { explain-the-wonder } bekommt niemand Punkte: Darauf liegt kein Marker.
}
explain-as-owner = Als Besitzer bekäme: { $players }.
explain-player-points = { $points ->
    [one] { $player } { $points } Punkt
   *[other] { $player } { $points } Punkte
}
explain-in-play = { explain-the-wonder } bringt am Spielende niemandem Punkte, egal wem es gehört.
explain-during = { $id ->
    [notre-dame] Es zählt nur während des Spiels: 3 Punkte für jeden eigenen Meeple, der neben ein Kloster gesetzt wird.
    [stonehenge] Es zählt nur während des Spiels: 3 Punkte für jede besetzte Straße, die man selbst fertigstellt.
    [tikal] Es zählt nur während des Spiels: 2 Punkte für jeden eigenen Meeple in Städten, sobald eine Stadt ab 3 Plättchen gewertet wird, in der einer davon steht.
   *[abu-simbel] Es zählt nur während des Spiels: In jedem Zug darf man aus zwei Plättchen wählen.
}
explain-piece-in = { $player } in { $square }
explain-circus-maximus = { $players ->
    [one] Bei einer Person
   *[other] Bei { $players } Personen
} bringt jeder fremde Meeple in einer unfertigen Stadt { $each } Punkte; { $n ->
    [0] hier gibt es keinen.
    [one] hier gibt es einen: { $pieces }.
   *[other] hier gibt es { $n }: { $pieces }.
}
explain-alhambra = { $size ->
    [large] Bei mindestens { $large } Plättchen
   *[small] Bei weniger als { $large } Plättchen
} im Spiel (hier { $tiles }) bringt jeder eigene Bauer { $each } Punkte; { $n ->
    [0] hier gibt es keinen.
    [one] hier gibt es einen: { $pieces }.
   *[other] hier gibt es { $n }: { $pieces }.
}
explain-angkor-wat = Jede Straße ab { $least } Plättchen bringt { $each } Punkte, ob fertig oder nicht; { $n ->
    [0] hier gibt es keine.
    [one] hier gibt es eine: { $names }.
   *[other] hier gibt es { $n }: { $names }.
}
explain-terracotta-army = Jede Reihe und jede Spalte, in der mindestens { $least } Plättchen ohne Lücke liegen, bringt { $each } Punkte; { $n ->
    [0] hier gibt es keine.
    [one] hier gibt es eine: { $lines }.
   *[other] hier gibt es { $n }: { $lines }.
}
explain-line-row = Reihe { $index }
explain-line-column = Spalte { $index }
explain-standing = { $player }: { $final } in der Schlusswertung + { $track } auf der Wertungstafel = { $total }{ $place ->
    [0] { "" }
   *[other] { ", Platz " }{ $place }
}
explain-turned = { $tile }, { $turns } × 90° gedreht
explain-problem = Problem: { $text }
explain-legend-doubtful = { $n ->
    [one] { $n } unsichere Stelle
   *[other] { $n } unsichere Stellen
}
explain-legend-unknown = { $n ->
    [one] { $n } unbekannte Stelle
   *[other] { $n } unbekannte Stellen
}
explain-legend-problems = { $n ->
    [one] { $n } Problem
   *[other] { $n } Probleme
}
explain-legend-open = die Punkte können sich noch ändern
explain-head-feature = Gebiet
explain-head-counts = Was zählt
explain-head-rule = Regel
explain-head-square = Feld
explain-head-tile = Plättchen
explain-head-part = Teil
explain-head-line = Reihe oder Spalte
explain-head-runs = Plättchen ohne Lücke
explain-size = Größe { $n }
explain-empty = dort liegt nichts
failed-title = Fehler:
failed-meant = Meintest du { $word }?
try-photo_not_found = Versuch es so: Prüfe den Namen der Datei und ihren Ordner.
try-file_not_found = Versuch es so: Prüfe den Namen der Datei und ihren Ordner.
try-cannot_write = Versuch es so: Nenne eine Datei in einem Ordner, in den du schreiben darfst.
try-photo_ambiguous = Versuch es so: Nenne das Foto mit seinem Ordner.
try-models_missing = Versuch es so: Installiere Wondertally neu.
try-models_damaged = { try-models_missing }
try-game_not_enrolled = Versuch es so: wondertally enrol board --help
try-versions_differ = Versuch es so: Installiere auf jedem Worker dieselbe Version mit denselben hinterlegten Daten und starte den Befehl noch einmal.
try-worker_unfit = Versuch es so: Installiere Wondertally auf jedem Worker neu und starte den Befehl noch einmal.
try-PassingError = Versuch es so: Starte denselben Befehl noch einmal.
try-internal_error = Versuch es so: Gib den Befehl noch einmal ein; schlägt er wieder fehl, melde diese Zeile mit Befehl und Dateien.
try-PhotoError = Versuch es so: Öffne das Bild und speichere es neu als JPEG, oder nimm das Foto noch einmal auf.
try-ReadingError = Versuch es so: Fotografiere das ganze Spielfeld von oben bei gleichmäßigem Licht, mit etwas Tisch ringsum.
try-ScoringError = Versuch es so: Vergleiche deinen Text mit den Beispielen in docs/commands.md.
try-RulesetError = Versuch es so: wondertally rules nennt die Regelfassungen, docs/commands.md die Schachteln.
try-CalibrationError = Versuch es so: Installiere Wondertally neu.
try-CatalogueError = Versuch es so: Vergleiche die Datei mit dem Beispiel in docs/wonder-files.md.
try-ComponentsError = Versuch es so: Vergleiche die Datei mit dem Beispiel in docs/games.md.
try-PlayError = Versuch es so: Korrigiere diesen Zug in der Aufzeichnung; die Züge davor stimmen.
try-RecordError = Versuch es so: Korrigiere diese Zeile der Aufzeichnung.
try-InputError = Versuch es so: Mit --help zeigt der Befehl seine Optionen.
try-EnrolmentError = Versuch es so: wondertally enrol --help
try-QuestionError = Versuch es so: wondertally explain ohne Auswahl nennt alles, wonach du fragen kannst.
try-FragmentError = Versuch es so: Kopiere den ganzen Link noch einmal.
try-BatchError = Versuch es so: wondertally batch --help
try-ClusterError = Versuch es so: Starte den Scheduler und seine Worker und dann denselben Befehl noch einmal.
try-ReportError = Versuch es so: Schreibe den Bericht neu mit wondertally score --json.
try-ServerError = Versuch es so: Starte den Server neu; sein Protokoll nennt den Grund.
try-ServingError = Versuch es so: Vergleiche die Einstellungen des Servers mit docs/settings.md.
explain-written = Erklärung: { $file }
explain-drawn = Bild: { $file }
nothing-outvoted = { $player } geht leer aus, { $mine } gegen { $most } ({ $leaders }).
nothing-no_city = { $player } geht leer aus: Keine fertige Stadt grenzt an die Wiese.
nothing-farmers_outvoted = { $player } geht leer aus: Andere haben mehr Bauern um diese Städte.
nothing-counted_before = { $player } bekommt hier nichts: Alle Städte zählen schon für eine andere Wiese.
nothing-inn = { $player } geht leer aus: Eine Straße mit Wirtshaus bringt nur dann Punkte, wenn sie fertig ist.
nothing-cathedral = { $player } geht leer aus: Eine Stadt mit Kathedrale bringt nur dann Punkte, wenn sie fertig ist.
nothing-no_follower = { $player } bekommt hier nichts: Die Figur „{ $piece }“ zählt nicht für die Mehrheit.
nothing-box_rules = { $player } geht leer aus: Gespielt wurde ohne die Regeln von { $boxes }.
nothing-in_play = { $player } bekommt am Ende nichts: { $wonder } bringt nur während des Spiels Punkte.
nothing-wonder = { $player } geht leer aus: Für { $wonder } zählt hier nichts.
nothing-disputed = { $player } geht leer aus: Auf { $wonder } liegen Figuren mehrerer Spieler.
nothing-nowhere = { $player } bekommt nichts für eine Figur, die auf keinem bekannten Gebiet steht.

## Wo die Regeln stehen
explain-section-base-road = Grundspiel, Wertung einer Straße
explain-section-base-final-roads = Grundspiel, Schlusswertung: Straßen
explain-section-base-city = Grundspiel, Wertung einer Stadt
explain-section-base-final-cities = Grundspiel, Schlusswertung: Städte
explain-section-base-monastery = Grundspiel, Wertung eines Klosters
explain-section-base-final-monasteries = Grundspiel, Schlusswertung: Klöster
explain-section-base-final-farms = Grundspiel, Schlusswertung: Bauern
explain-section-first-final-farms = Grundspiel der ersten Auflage, Schlusswertung: Bauern
explain-section-abbot-garden = Der Abt, Wertung eines Gartens
explain-section-abbot-final = Der Abt, Schlusswertung
explain-section-abbot-back = Der Abt, den Abt zurücknehmen
explain-section-inns-inns = Wirtshäuser & Kathedralen, Wirtshäuser
explain-section-inns-cathedrals = Wirtshäuser & Kathedralen, Kathedralen
explain-section-traders-pig = Händler & Baumeister, Schwein
explain-section-traders-goods = Händler & Baumeister, Schlusswertung: Waren
explain-section-gold-bars = „Die Goldminen“, Schlusswertung
explain-section-king-final = „Graf, König und Konsorten“, Schlusswertung
explain-section-entered = Wie eingegeben
explain-section-river-herd = Der Fluss II, Schweineherde
explain-section-abbey-barn = Abtei & Bürgermeister, Scheune
explain-section-siege-cities = Die Belagerer, Wertung einer Stadt
explain-section-siege-farmers = Die Belagerer, Bauern
explain-section-hills-vineyards = Schafe & Hügel, Weinberge
explain-section-monasteries-abbot = Klöster in Deutschland, Äbte
explain-section-wonders-during = Die Wunder der Menschheit, Wertung während des Spiels
explain-section-wonders-after = Die Wunder der Menschheit, Wertung am Spielende
explain-section-wonders-notre-dame = { explain-section-wonders-during }: { wonder-notre-dame }
explain-section-wonders-stonehenge = { explain-section-wonders-during }: { wonder-stonehenge }
explain-section-wonders-tikal = { explain-section-wonders-during }: { wonder-tikal }
explain-section-wonders-circus-maximus = { explain-section-wonders-after }: { wonder-circus-maximus }
explain-section-wonders-alhambra = { explain-section-wonders-after }: { wonder-alhambra }
explain-section-wonders-angkor-wat = { explain-section-wonders-after }: { wonder-angkor-wat }
explain-section-wonders-terracotta-army = { explain-section-wonders-after }: { wonder-terracotta-army }

## Probleme eines Spielfelds
features-too = { $features ->
    [blank] { "" }
   *[other] { " " }{ $features } kann dort weitergehen und zählt nur, soweit bekannt.
}
problem-wonder_damaged = Das hinterlegte Exemplar von { $wonder } ist beschädigt und wurde nicht verwendet: Hinterlege es noch einmal oder nimm es zurück.
problem-tiles_not_used = Als Zahl der Plättchen im Spiel war { $number } angegeben, hier liegen aber { $there }: Die Angabe wurde nicht verwendet.
problem-owner_not_used = Vor der Auswertung war angegeben: { $wonder } gehört { $player ->
    [blank] niemandem
   *[other] { $player }
}. Das Wunder wurde nicht gefunden; die Angabe gilt, sobald es hier liegt.
problem-possible_wonder = Hier liegt vielleicht ein Wunder, obwohl andere Plättchen erkannt wurden.
problem-wonder_unmarked = Auf { $wonder } steht keine Figur: Wem gehört das Wunder?
problem-edge_mismatch = Die Kanten passen nicht zusammen: { $here } an { $there }.
problem-more_than_the_box = Ein Plättchen liegt hier { $number }-mal, es gibt davon aber nur { $held }: { $tile }.
problem-several_boxes = Von { $kinds } Sorten liegen hier mehr Plättchen, als in ihren Schachteln sind: Eine Schachtel ist doppelt dabei, oder die Plättchen gehören zu einer anderen.
problem-several_base_games = Hier liegen anscheinend { $games ->
    [2] zwei
   *[other] { $games }
} Grundspiele: { $tiles } Plättchen davon, ein Spiel hat { $held }.
problem-island = { $tiles ->
    [one] Ein Plättchen hängt nicht mit den anderen zusammen.
   *[other] { $tiles } Plättchen hängen nicht mit den anderen zusammen.
}
problem-tiles_lacking = { $tiles ->
    [one] Eines der { $whole } Plättchen des Spiels fehlt hier: Vielleicht wurde es übersehen.
   *[other] { $tiles } der { $whole } Plättchen des Spiels fehlen hier: Vielleicht wurden sie übersehen.
}
problem-broken_wonder = { $squares ->
    [one] Nur eines der 5 Felder von { $wonder } liegt hier.
   *[other] Nur { $squares } der 5 Felder von { $wonder } liegen hier.
}
problem-beyond_the_picture = { $tiles ->
    [one] Ein Plättchen liegt am Bildrand oder zu weit weg, um dahinter etwas zu sehen: Was dahinter liegt, zählt nicht mit.
   *[other] { $tiles } Plättchen liegen am Bildrand oder zu weit weg, um dahinter etwas zu sehen: Was dahinter liegt, zählt nicht mit.
}
problem-meeple_without_tile = Ein Meeple ({ $colour }) steht, wo kein Plättchen liegt.
problem-meeple_without_feature = Ein Meeple ({ $colour }) steht auf keinem bekannten Gebiet.
problem-too_many_meeples = { $colour }: { $number } × { $piece }, ein Spieler hat aber nur { $most }.
problem-tile_unknown = Dieses Plättchen ist unbekannt und bringt keine Punkte.{ features-too }
problem-tile_not_scored = Dieses Plättchen gehört zu { $box }, was hier nicht gewertet wird.{ features-too }
problem-box_not_scored = Die Plättchen von { $box } zählen als Landschaft; was die Erweiterung am Spielende sonst noch wertet, zählt hier nicht.
problem-piece_not_scored = Diese Figur ({ $piece }) gehört zu { $box }, was hier nicht gewertet wird.
problem-impossible_meeple = { $piece } ({ $colour }), { $pose }: auf diesem Gebiet ({ $below }) nicht möglich.
problem-lonely_piece = { $piece } ({ $colour }) steht, wo kein Meeple dieser Farbe steht.
problem-unmarked_wonder = Auf { $wonder } steht kein Marker: Es bringt niemandem Punkte.
problem-disputed_wonder = Auf { $wonder } stehen { $markers } Marker, es gehört aber nur einer Person.
problem-too_many_wonders = { $player } hat { $wonders } Wunder markiert, erlaubt sind höchstens zwei.
problem-too_many_players = Hier stehen Figuren in { $number } Farben, gespielt { $most ->
    [one] hat aber nur eine Person
   *[other] haben aber { $most } Personen
}.
problem-complete_but_occupied = { $feature } ({ $kind }) ist fertig, und es stehen noch Meeple darauf.

## Wovon die Wertung ausgeht
assumed-players = { $players ->
    [one] Circus Maximus ist für eine Person gerechnet, weil hier nur eine Farbe steht.
   *[other] Circus Maximus ist für { $players } Personen gerechnet, so viele Farben sind hier im Spiel.
}
assumed-tiles_in_play = Die Alhambra ist für ein Spiel mit { $tiles } Plättchen gerechnet, so viele liegen hier.
assumed-goods = { $tokens ->
    [one] Waren sind nicht gezählt, obwohl fertige Städte eine zeigen.
   *[other] Waren sind nicht gezählt, obwohl fertige Städte { $tokens } zeigen.
}
assumed-holdings = Für das, was die Spieler aus { $box } besitzen, zählt hier nichts: Gib es unter „Spieler“ ein.
assumed-box_rules = Die Regeln von { $boxes } sind mitgerechnet, obwohl niemand gesagt hat, dass sie galten.

## Probleme der Wertungstafel
problem-track_piece_missing = Auf der Wertungstafel wurde keine Figur gefunden: { $player }.
problem-track_not_sure = Die Figur auf der Wertungstafel steht vielleicht auf { $spaces } ({ $player }).
problem-track_too_many = { $player } auf { $spaces } der Wertungstafel: Das Spielfeld kann höchstens { $most ->
    [one] { $most } Punkt
   *[other] { $most } Punkte
} gebracht haben.
problem-track_laps_unknown = { $player } auf { $space } der Wertungstafel zählt als { $points ->
    [one] { $points } Punkt
   *[other] { $points } Punkte
}; nach einer weiteren Runde wären es { $others }.
problem-track_stranger = Eine Figur auf der Wertungstafel, aber keine auf den Plättchen: { $player } (auf { $spaces }).
problem-token_not_sure = Wem das Plättchen mit { $points ->
    [one] { $points } Punkt
   *[other] { $points } Punkten
} gehört, zeigt das Foto nicht sicher.
problem-report_differs = Der Bericht nennt { $totals }, das Spielfeld ergibt aber etwas anderes.

## Probleme der Züge zwischen Fotos
problem-tiles_vanish = Plättchen eines früheren Fotos sind weg.
problem-tile_changed = Hier liegt ein anderes Plättchen als vorher.
problem-unknown_tile = Dieses Plättchen ist nicht bekannt. Korrigiere es, dann geht das Spiel weiter.
problem-piece_on_old_tile = Eine Figur wurde auf ein Plättchen gesetzt, das schon dalag.
problem-piece_gone_early = Eine Figur ging zurück, bevor ihr Gebiet fertig war.
problem-piece_stays = Eine Figur steht noch auf einem fertigen Gebiet.
problem-no_way = Keine erlaubten Züge führen von einem Foto zum nächsten.
problem-points_too_few = Wer ein Wunder gelegt hat, hatte bis dahin nicht genug Punkte dafür: Prüfe die Punkte beim ersten Foto.
problem-too_much_played = Zwischen den Fotos wurde zu viel gespielt, um alles durchzuprobieren.
problem-order = Die Reihenfolge der Züge ist nicht zu erkennen.
problem-record_ends = Hier endet die Aufzeichnung.
problem-unseen_piece = { $player } kann auf { square } eine Figur gesetzt ({ $piece }: { $place }) und zurückgenommen haben: Dann sind die Punkte zwischen den beiden Fotos { $scores }.
problem-assumed_piece = Vermutet: { $player } hat auf { square } eine Figur gesetzt ({ $piece }: { $place }) und für { $points ->
    [one] { $points } Punkt
   *[other] { $points } Punkte
} zurückgenommen ({ $likely }).
problem-points_differ = { $player } soll bei { $photo } { $points ->
    [one] { $points } Punkt
   *[other] { $points } Punkte
} haben, bei { $before } auf { $since } ergeben die Züge aber { $possible }.
problem-wonder_taken = { $player } hat genug Punkte für ein Wunder: Welches wurde genommen?
problem-track_differs = Die Wertungstafel auf { $photo } zeigt einen Stand von { $player }, den die Züge nicht ergeben.
log-photo = Foto { $n }
problem-photo_moved = { $photo } entstand { $where ->
    [before] vor
   *[after] nach
} { $near } und steht jetzt dort.
problem-turn_differs = Bei { $photo } soll { $player } am Zug sein, nach den Zügen davor ist es aber { $other }: Es geht mit { $player } weiter.
problem-pieces_cleared = Das letzte Foto zeigt keine Figur mehr: Sie wurden abgeräumt und zählen wie zuvor.
problem-doubtful_tile = { $case ->
    [unknown] Das Plättchen ist vielleicht ein anderes: { $others }.
    [out] Hier liegt vielleicht: { $reads }. Die Züge lassen hier aber keinen Platz für ein Plättchen: Es zählt keines.
   *[read] Dieses Plättchen zählt als { $reads }. Vielleicht ist es ein anderes: { $others }.
}
problem-doubtful_time = Das Plättchen wurde vielleicht zu einer anderen Zeit gelegt.
problem-doubtful_piece = { $case ->
    [assumed] Die Fotos zeigen hier: { $instead }. Zu den Zügen passt aber: { $read }. Das wird gezählt.
   *[seen] Gezählt wird hier: { $read }. Vielleicht ist es: { $instead } ({ $likely }).
}
problem-players_not_named = Die Spieler wurden nicht genannt: Sie sind aus den sichtbaren Figuren erschlossen.
problem-box_rules_unsaid = Es ist nicht angegeben, ob mit den Regeln von { $box } gespielt wurde, und davon hängen Punkte ab.
problem-on_turn = Wer beim ersten Foto am Zug war, ist nicht bekannt.
problem-kinds_not_told = Große Meeple, Baumeister und Schweine gelten als einfache Meeple.

## Fehler: das Foto
error-photo_not_found = Dieses Foto gibt es nicht.
error-photo_unreadable = Das Foto lässt sich nicht öffnen.
error-empty_file = Die Datei ist leer.
error-not_an_image = Die Datei ist kein Bild.
error-unsupported_image = Nur JPEG-, PNG-, WebP- und HEIC-Bilder können gelesen werden.
error-heif_missing = HEIC-Fotos kann dieser Server nicht lesen. Schick das Foto als JPEG: am iPhone unter Einstellungen, Kamera, Formate „Maximale Kompatibilität“ wählen.
error-too_large = Das Bild ist zu groß.
error-truncated_image = Das Ende des Bildes fehlt: Es wurde nicht vollständig gesendet.
error-broken_image = Das Bild ist beschädigt.
error-costly_image = Das Öffnen dieses Bildes dauert zu lange: Speichere es neu als einfaches JPEG und sende das.
error-board_not_found = Auf dem Foto wurde kein Spielfeld gefunden.
error-board_too_large = Das sind mehr Plättchen, als ein Spielfeld haben kann.
error-photos_do_not_join = Das Foto zeigt ein anderes Spielfeld als die übrigen oder zu wenig davon.
error-photos_out_of_order = Plättchen eines Fotos fehlen im nächsten: Die Fotos sind nicht in zeitlicher Reihenfolge.
error-same_photo = Dasselbe Foto wurde zweimal angegeben.
error-not_needed = Ein anderes Foto zeigt das Spielfeld besser und wurde stattdessen ausgewertet.

## Fehler: was verlangt wurde
error-unsupported_game = Dieses Spiel wird hier nicht gewertet.
error-file_not_found = Diese Datei gibt es nicht.
error-cannot_write = Die Datei lässt sich nicht schreiben.
error-output_twice = Zwei Ausgaben würden in dieselbe Datei geschrieben: Gib für eine davon eine andere Datei an.
error-bad_usage = Der Befehl ist nicht verständlich.
error-models_missing = Die trainierten Netze fehlen.
error-models_damaged = Eine Datei der trainierten Netze ist beschädigt: Installiere Wondertally bitte neu.
error-photo_ambiguous = Mehrere Fotos heißen so.
error-order_unknown = Gib an, was auf dem Foto liegt.
error-board_does_not_fit = Das Foto zeigt Felder in anderer Anordnung als das Spielfeld.
error-turn_not_clear = Das Spielfeld passt auf mehrere Arten zum Foto.
error-board_contradicts_photo = Die meisten Plättchen auf dem Foto sehen anders aus als angegeben.
error-nothing_to_enrol = Es gibt kein benanntes Plättchen, das sich hinterlegen ließe.
error-report_disagrees = Plättchen und Notation des Berichts ergeben nicht dasselbe Spielfeld.
error-piece_does_not_fit = Dieses Teil passt nicht zu seiner Form in der Komponentendatei.
error-pieces_not_taught = Dieses Spiel hat keine Teile, die hinterlegt werden müssten.
error-report_for_photo = Das ist ein Bericht, gebraucht wird hier ein Foto: Gib die Fotos an, aus denen er entstanden ist.
error-photo_wanted = Das Foto zum Bericht fehlt.
error-bad_name = Dieser Name ist nicht möglich.
error-enrolment_exists = Dieser Name ist vergeben.
error-no_such_enrolment = Unter diesem Namen ist nichts hinterlegt.
error-spaces_invalid = Die Datei mit den Feldern der Wertungstafel ist ungültig.
error-bad_corners = Die angegebenen Ecken sind keine vier Ecken einer Tafel auf diesem Foto.
error-spaces_not_in_order = Der Weg muss mit Feld 0 beginnen, und seine Zahlen müssen aufsteigen.
error-space_off_board = Ein Feld des Weges liegt neben der Tafel.
error-spaces_too_near = Zwei Felder liegen aufeinander oder beinahe.
error-laps_do_not_fit = Die Länge einer Runde ist weder die Anzahl der Felder noch die Zahl des letzten.
error-print_too_plain = Das Foto zeigt zu wenig, woran Wertungstafel oder Punkteplättchen wiedergefunden werden könnten.
error-bad_score_token = Ein Plättchen zählt 1 bis 500 Punkte.
error-token_not_seen = Das Foto zeigt kein einzelnes Punkteplättchen auf einfarbigem Grund in einer anderen Farbe.
error-bad_enrolment = Die hinterlegten Daten sind beschädigt oder stammen von einer anderen Version.
error-bad_enrolment-wonder = Das hinterlegte Exemplar dieses Wunders ist beschädigt: Hinterlege es noch einmal oder nimm es zurück.
error-enrolment_not_empty = An der Stelle der hinterlegten Datei liegt ein Ordner mit Dateien: Bitte entferne ihn.
error-cannot_write_enrolment = Die Daten lassen sich nicht hinterlegen.
error-game_not_enrolled = Der leere Spielplan dieses Spiels ist auf diesem Rechner noch nicht hinterlegt.
error-no_such_picture = Dieses Spiel hat keinen Spielplan dieses Namens.
error-no_such_mark = Auf dem Spielplan gibt es keine Stelle dieses Namens.
error-no_such_value = Auf dem Spielplan steht keine Zahl dieses Namens.
error-size_not_told = Die markierte Form kann nicht die Karte sein: Ihre vier Ecken liegen nicht im Foto, oder der Plan wäre unmöglich klein oder groß. Tippe auf eine Bankkarte, die neben dem Plan liegt, oder gib die Größe des Plans ein.
error-board_incomplete = Von diesem Spielplan fehlt noch etwas.
error-shape_empty = Eine der Formen hat noch keine Felder: Tippe an, welche das Plättchen bedeckt, oder entferne die Form.
error-shape_not_connected = Die Felder dieser Form hängen nicht zusammen: Jedes muss mit einem anderen eine Seite gemeinsam haben.
error-shape_too_large = Ein Plättchen ist höchstens fünf Felder lang und breit.
error-shape_twice = Diese Form hast du zweimal gezeichnet: Gedreht bleibt ein Plättchen dieselbe Form.
error-nothing_to_take_back = Es gibt keine Änderung mehr, die sich rückgängig machen ließe: So hat es angefangen.
error-board_file_invalid = Das ist keine Datei eines Spielplans, oder sie ist beschädigt.
error-bad_report = Die Datei ist kein lesbarer Bericht.
error-bad_square = Ein Feld wird als Reihe und Spalte angegeben.
error-no_such_feature = Auf dem Spielfeld gibt es kein Gebiet dieses Namens.
error-nothing_there = Auf diesem Feld gibt es nichts dergleichen.
error-no_such_player = Niemand spielt mit dieser Farbe.
error-wrong_photo = Der Bericht stammt von einem anderen Foto.
error-players_needed = Nenne die Spieler in Zugreihenfolge: Die Fotos zeigen sie nicht.
error-bad_players = Nötig sind zwei bis sechs verschiedene Farben.
error-too_few_photos = Züge liegen zwischen Fotos: Mindestens zwei sind nötig.
error-too_wide_to_draw = Das Spielfeld ist zu breit zum Zeichnen.
error-bad_track = Punkte auf der Wertungstafel werden als Farbe und ganze Zahl angegeben.
error-negative_track = Weniger als null Punkte gibt es nicht.
error-track_twice = Die Punkte einer Farbe sind doppelt angegeben.
error-bad_player_count = Die Zahl der Mitspieler muss eine ganze Zahl von 1 bis 12 sein.
error-bad_tile_count = Die Zahl der Plättchen im Spiel muss eine ganze Zahl von 1 bis 1000 sein.
error-bad_goods = Waren werden als Farbe, Warenart und Anzahl angegeben.
error-goods_twice = Eine Warenart ist für dieselbe Farbe zweimal angegeben.
error-bad_owner = Der Besitzer eines Wunders wird als Name des Wunders und Farbe angegeben.
error-owner_twice = Der Besitzer eines Wunders ist zweimal angegeben.
error-bad_table = Die Angaben des Labels zum Tisch sind nicht möglich.

## Fehler: Korrekturen
error-square_empty = Auf diesem Feld liegt kein Plättchen.
error-square_too_far = Dieses Feld ist zu weit vom Spielfeld entfernt.
error-tile_unknown_name = So heißt kein Plättchen.
error-no_wonder_there = Auf diesem Feld liegt kein Wunder.
error-bad_wonder_layout = Dieses Wunder lässt sich so nicht lesen.
error-wonder_not_there = Dieses Wunder liegt nicht auf dem Spielfeld.
error-meeple_unknown = Diesen Meeple gibt es nicht.
error-place_unknown = Das Plättchen auf diesem Feld hat kein solches Gebiet.
error-colour_unknown = Niemand hat Figuren dieser Farbe.
error-too_many_tiles = Alle Schachteln zusammen enthalten weniger Plättchen.
error-too_few_tiles = Es liegen mehr Plättchen auf dem Tisch, als im Spiel sein sollen: Ändere zuerst deren Zahl.
error-too_many_corrections = Das sind zu viele Korrekturen.
error-wonder_there = Auf diesem Feld liegt ein Wunder.
error-photo_unknown = Kein Foto des Spiels heißt so.
error-photo_set_aside = Dieses Foto ist beiseitegelegt.
error-left_aside = Du hast dieses Foto weggelassen.
error-points_fall = Punkte werden nicht weniger: Ein Foto davor hat mehr oder eines danach weniger.
error-nothing_assumed = Auf diesem Feld wurde keine gesetzte und zurückgenommene Figur vermutet.
error-taking_impossible = Nach den Regeln kann dort keine Figur dieser Farbe gesetzt und zurückgenommen worden sein.
error-bad_corrections = Die Korrekturen sind keine Liste bekannter Korrekturen.
error-game_wanted = Nenne das Spiel.
error-other_game = Das gehört nicht zu diesem Spiel.
error-spot_unknown = Eine solche Stelle hat der Tisch nicht.
error-spot_value_impossible = Das kann an dieser Stelle nicht liegen.
error-bad_set = Was an einer Stelle liegt, wird mit ihrem Namen und einem Wert angegeben.
error-component_missing = Eine Zahl, die auf deinem Spiel gedruckt ist, fehlt noch: Trage sie in die Komponentendatei ein.
error-components_invalid = Die Komponentendatei kann nicht verwendet werden.
error-bad_fragment = Der Link enthält kein Spielfeld oder ist unvollständig.
error-fragment_too_large = Der Link enthält mehr, als ein Spielfeld braucht.

## Fehler: der Server
error-internal_error = Hier ist etwas schiefgegangen. Versuch es noch einmal; schlägt es wieder fehl, melde es dem Betreiber des Servers.
error-bad_request = Die Anfrage ist nicht verständlich. Lade die Seite neu und versuch es noch einmal.
error-bad_field = Ein Feld der Anfrage ist nicht lesbar. Prüfe deine Eingabe.
error-body_too_large = Das ist zu viel auf einmal. Sende weniger oder kleinere Fotos.
error-conflict = Inzwischen hat jemand anderes etwas geändert. Sieh noch einmal nach und mach dann weiter.
error-wrong_code = Dieser Code gilt nicht. Scanne den, den der Server jetzt zeigt.
error-cross_site = Die Anfrage kam von einer anderen Seite. Öffne diese Seite selbst.
error-unknown_host = Unter diesem Namen antwortet der Server nicht: Nimm bitte localhost, oder trag den Namen in seine Einstellungen ein.
error-interrupted = Die Auswertung wurde unterbrochen: Sende das Foto bitte noch einmal.
error-key_wanted = Dafür ist ein Schlüssel nötig. Der Betreiber des Servers kann dir einen geben.
error-wrong_key = Dieser Schlüssel ist nicht bekannt. Prüfe ihn, oder bitte den Betreiber des Servers um einen anderen.
error-local_only = Das geht nur auf dem Rechner des Servers. Öffne die Seite dort, oder kopple dieses Gerät dort.
error-not_found = Hier gibt es nichts oder nichts mehr. Prüfe den Link.
error-method_not_allowed = Das geht hier nicht. Lade die Seite neu und versuch es noch einmal.
error-not_read_yet = Das Foto wurde noch nicht ausgewertet. Warte, bis es so weit ist.
error-table_exists = Diesen Tisch gibt es im Turnier schon: Füge weitere Fotos dort hinzu, und korrigiere dort, was sich geändert hat.
error-already_checked = Diesen Tisch hat schon jemand korrigiert oder geprüft. Nimm das zurück, bevor du Fotos hinzufügst.
error-nothing_to_undo = Es gibt nichts rückgängig zu machen: So hat es angefangen.
error-track_open = Die Punkte von der Wertungstafel fehlen noch oder stehen nicht fest. Trag sie zuerst ein.
error-not_ready = Der Server kann noch keine Fotos auswerten. Versuch es in einer Minute noch einmal.
error-storage_away = Der Speicher des Servers ist gerade nicht erreichbar: Versuche es bitte später noch einmal.
error-storage_full = Die Festplatte des Servers ist voll: Versuche es bitte später noch einmal, oder lösche Auswertungen, die niemand mehr braucht.
error-not_yours = Das darf nur der Besitzer. Bitte ihn um den Link, der es erlaubt.
error-token_wanted = Das darf nur der Besitzer. Bitte ihn um den Link, der es erlaubt.
error-scoring_busy = Gerade werden viele Spielfelder gewertet: Versuche es bitte gleich noch einmal.
error-queue_full = Zu viele Fotos warten: Versuche es bitte gleich noch einmal.
error-cannot_listen = Der Server kann diese Adresse nicht verwenden: Sie ist vergeben oder gehört nicht zu diesem Rechner.
error-bad_settings = Die Einstellungen des Servers sind nicht gültig.
error-photos_not_empty = Der Ordner für Fotos enthält andere Dateien, die nicht vom Server stammen: Gib bitte einen leeren an.
error-photos_of_another = Die Fotos in diesem Ordner gehören zu einer anderen Datenbank: Gib bitte diese Datenbank oder einen leeren Ordner an.
error-reading_crashed = Die Auswertung ist gescheitert: Versuche es bitte mit einem anderen Foto.
error-reading_stopped = Die Auswertung dauerte zu lange und wurde abgebrochen. Sende das Foto noch einmal, oder ein kleineres.
error-too_many_requests = Zu viele Anfragen: Warte bitte kurz.
error-upload_too_slow = Das Foto kam zu langsam an. Sende es noch einmal über ein schnelleres Netz.
error-wrong_content_type = Diese Art von Inhalt kann hier nicht gelesen werden. Sende ein Foto oder eine Datei der richtigen Art.

## Fehler: Spielfelder, Labels und Dateien von Wundern
error-unknown_rules = Unbekannter Regelsatz.
error-bad_boxes = Gib für jede Schachtel höchstens einmal an, wie oft sie auf dem Tisch liegt: base=2.
error-bad_box_rules = Gib für jede Erweiterung höchstens einmal an, ob mit ihren Regeln gespielt wurde: inns=on oder inns=off.
error-unknown_tile = So heißt kein Plättchen.
error-unknown_box = Diese Schachtel gibt es nicht.
error-unknown_pose = Diese Lage gibt es nicht.
error-unknown_letter = Kein Plättchen hat diesen Buchstaben.
error-unknown_wonder = Dieses Wunder gibt es nicht.
error-no_such_part = Das Plättchen hat kein solches Gebiet.
error-no_such_segment = Das Plättchen hat kein solches Gebiet.
error-no_such_place = Das Plättchen hat kein solches Gebiet.
error-no_tiles = Das Spielfeld hat keine Plättchen.
error-no_tile = Dort liegt kein Plättchen.
error-no_rows = Das Spielfeld hat keine Reihen.
error-bad_label = Das Label ist nicht lesbar.
error-bad_points = Die Punkte, mit denen ein Label das Spielfeld verortet, passen nicht zusammen.
error-no_photo = Das Label nennt sein Foto nicht.
error-bad_notation = Die Textzeile kann nicht gelesen werden.
error-bad_meeple = Ein Meeple ist nicht lesbar.
error-bad_tile = Ein Plättchen ist nicht lesbar.
error-bad_origin = Das erste Feld des Spielfelds ist nicht lesbar.
error-bad_place = Ein Ort ist nicht lesbar.
error-bad_row = Eine Reihe ist nicht lesbar.
error-bad_turn = Die Drehung eines Plättchens ist nicht lesbar.
error-bad_token = Ein Wort ist nicht lesbar.
error-negative_square = Ein Feld liegt außerhalb des Spielfelds.
error-not_on_the_tile = Das liegt nicht auf dem Plättchen.
error-bad_toml = Die Datei des Wunders ist nicht lesbar.
error-wonder_file_too_large = Für die Datei eines Wunders ist das zu lang.
error-bad_edge = Eine Kante in der Datei des Wunders ist unmöglich.
error-bad_marker = Der Marker in der Datei des Wunders kann dort nicht stehen.
error-bad_monastery = Ein Kloster in der Datei des Wunders ist unmöglich.
error-bad_path = Eine Zeichnung in der Datei des Wunders ist nicht lesbar.
error-cannot_be_drawn = Für die Kanten des Wunders fand sich keine Zeichnung ohne Kreuzungen.
error-bad_squares = Die Felder in der Datei des Wunders ergeben kein Wunderplättchen.
error-bad_value = Ein Wert in der Datei des Wunders ist unmöglich.
error-beyond_the_squares = Eine Zeichnung in der Datei des Wunders ragt über seine Felder hinaus.
error-contradicts_the_rules = Die Datei des Wunders widerspricht den Regeln.
error-missing_key = In der Datei des Wunders fehlt etwas.
error-unknown_key = Die Datei des Wunders enthält einen unbekannten Eintrag.
error-no_way_out = Eine Straße in der Datei des Wunders führt nirgendwohin.
error-on_the_border = Eine Zeichnung in der Datei des Wunders liegt auf einem Rand.
error-overlap = Zeichnungen in der Datei des Wunders überlappen sich.

## Fehler: Spiel und Aufzeichnung
error-bad_start = So kann das Spiel nicht beginnen.
error-game_over = Das Spiel ist zu Ende.
error-kept_tile_lost = Das zurückgelegte Plättchen ist nicht da.
error-must_keep_a_tile = Ein Plättchen muss zurückgelegt werden.
error-nothing_to_keep = Es gibt kein Plättchen zum Zurücklegen.
error-no_abbot_out = Kein Abt steht auf dem Spielfeld.
error-no_extra_tile = Es gibt kein weiteres Plättchen zum Ziehen.
error-no_piece_left = Eine solche Figur ist nicht mehr übrig.
error-no_such_wonder = Dieses Wunder gibt es nicht.
error-print_gone = Das Foto wurde vor zu langer Zeit gesendet: Fotografiere das Wunder noch einmal, oder behalte das Exemplar ohne sein Bild.
error-wonder_not_seen = Dieses Wunder ist dort nicht zu sehen: Fotografiere es noch einmal, oder schreib seine Datei.
error-other_wonder = Diese Datei gehört zu einem anderen Wunder.
error-wonder_named = Dieser Server wurde mit einer Datei für dieses Wunder gestartet: Ein anderes Exemplar lässt sich nicht hinterlegen.
error-not_five_squares = Das hat nicht den Umriss von fünf Feldern: Fotografiere das Plättchen allein und ganz, auf einem schlichten Tisch.
error-not_in_stack = Dieses Plättchen ist nicht im Stapel.
error-not_your_turn = Jemand anderes ist am Zug.
error-one_action = In einem Zug geht nur eines davon.
error-tile_fits = Das Plättchen kann angelegt werden.
error-too_few_wonders = Es gibt zu wenige Wunder.
error-too_many_meeples = Das sind zu viele Meeple.
error-wonder_fits = Das Wunder kann angelegt werden.
error-wonder_not_available = Dieses Wunder liegt nicht aus.
error-wonder_not_reached = Noch wurde kein Wunder erreicht.
error-wonder_not_taken = Das Wunder wurde nicht genommen.
error-wonder_not_told = Es ist nicht angegeben, welches Wunder genommen wurde.
error-wonder_not_yet = Das Wunder kann noch nicht angelegt werden.
error-wonder_twice = Dasselbe Wunder ist doppelt angegeben.
error-wonder_waits = Ein Wunder wartet darauf, angelegt zu werden.
error-wrong_place = Die Figur kann dort nicht stehen.
error-feature_occupied = Dort steht schon jemand.
error-no_follower_there = Die Figur darf nur dorthin, wo schon ein Meeple der eigenen Farbe steht.
error-square_taken = Dort liegt schon ein Plättchen.
error-touches_nothing = Ein Plättchen muss mit einer Seite an ein anderes stoßen.
error-edge_mismatch = Die Kanten der Plättchen passen nicht aneinander.
error-river_not_continued = Ein Flussplättchen muss den Fluss fortsetzen.
error-river_turns_back = Der Fluss darf keine Kehrtwende machen.
error-bad_head = Der Kopf der Aufzeichnung ist nicht lesbar.
error-bad_move = Ein Zug der Aufzeichnung ist nicht lesbar.
error-bad_number = Eine Zahl der Aufzeichnung ist nicht lesbar.
error-bad_scores = Punkte der Aufzeichnung sind nicht lesbar.
error-score_differs = Die Punkte der Aufzeichnung sind nicht die des Zuges.
error-total_differs = Die Summen der Aufzeichnung sind nicht die des Spiels.
error-folder_unreachable = Der Ordner mit den Fotos lässt sich nicht auflisten.
error-no_photos = Im Ordner sind keine Bilder.
error-bad_listing = Die Liste der Fotos ist unbrauchbar.
error-bad_roster = Die Auslosung braucht eine Kopfzeile mit einer Spalte „table“; weitere sind event, round, Farben und player 1, player 2 und so weiter.
error-bad_roster_line = Eine Zeile der Auslosung ist unbrauchbar.
error-roster_repeats = Ein Tisch oder eine Person steht in einer Runde der Auslosung zweimal.
error-roster_too_long = Die Auslosung hat zu viele Tische.
error-bad_pattern = Das Muster der Dateinamen ist unbrauchbar.
error-bad_scheduler = Das ist keine Adresse eines Schedulers. Schreib sie so: tcp://host:8786.
error-cluster_missing = Ein Dask-Cluster braucht das Extra `cluster`: pipx install '.[cluster]'.
error-bad_journal = Das Protokoll eines früheren Laufs in diesem Ordner ist beschädigt: Nenne bitte einen anderen Ordner.
error-disk_full = Die Festplatte der Datenbank ist voll: Schaffe bitte Platz und starte den Server neu.
error-storage_read_only = Der Speicher lässt sich nicht beschreiben: Gib bitte den Datenträger zum Schreiben frei, auch für das Benutzerkonto des Servers.
error-database_newer = Die Datenbank stammt von einer neueren Version von Wondertally: Starte bitte diese Version, oder spiele eine ältere Sicherung ein.
error-database_older = Die Datenbank stammt von einer Version vor 0.1.0, die diese Version nicht mehr umstellen kann: Starte bitte einmal Version 0.6.0 mit ihr, oder gib eine andere Datenbank an.
error-database_unversioned = Die Datenbank hat Tabellen mit diesen Namen, aber ohne Angabe ihrer Version: Spiele bitte eine Sicherung ein, oder gib eine andere Datenbank an.
error-database_damaged = Die Datenbank ist beschädigt: Spiele bitte eine Sicherung ein, oder lege die Datei beiseite, um mit einer leeren zu beginnen.
error-out_in_use = Ein anderer Lauf schreibt in denselben Ordner.
error-would_overwrite = Der Stapel würde im Ausgabeordner fremde Dateien überschreiben: Nenne bitte einen anderen Ordner.
error-no_batch = In diesem Ordner liegt kein Stapel.
error-no_event = Aus diesem Ordner wurde kein Turnier übernommen.
error-scheduler_unreachable = Unter der Adresse des Schedulers antwortet niemand.
error-not_a_scheduler = Unter dieser Adresse antwortet etwas anderes als ein Dask-Scheduler.
error-scheduler_lost = Der Scheduler ist nicht mehr da. Fertige Auswertungen bleiben erhalten: Starte denselben Befehl noch einmal.
error-no_workers = Der Scheduler hat keine Worker.
error-photo_changed = Das Foto wurde inzwischen geändert: Der nächste Lauf wertet es aus.
error-reading_failed = Das Programm ist an diesem Foto gescheitert: Der nächste Lauf versucht es wieder.
error-versions_differ = Der Worker hat eine andere Version des Programms, seiner Netze oder Bibliotheken, oder andere hinterlegte Daten.
error-worker_unfit = Einem Worker fehlen das Programm oder seine Netze.

## Das Blatt für den Turniertisch
sheet-title = Ergebnis
sheet-rules = Regeln: { $edition }
sheet-tiles = { $n } Plättchen
sheet-box-rules = { $played ->
    [yes] mit den Regeln von { $boxes }
   *[no] ohne die Regeln von { $boxes }
}
sheet-round = Runde { $number }
sheet-table = Tisch { $number }
sheet-winners = { $n ->
    [one] Gewonnen: { $players }
   *[other] Geteilter Sieg: { $players }
}
sheet-place = Platz
sheet-player = Spieler
sheet-colour = Farbe
sheet-final = Schlusswertung
sheet-track = Wertungstafel
sheet-total = Gesamt
sheet-entries = Einträge
sheet-doubts = Offene Zweifel
sheet-no-doubts = Kein Zweifel ist offen, der Punkte ändern könnte.
sheet-may-be = { square }: vielleicht { $instead }.
sheet-player-may-be = Alle Figuren von { $player }: vielleicht { $instead }.
sheet-player-may-be-absent = { $player } hat vielleicht nicht mitgespielt{ $likely }.
sheet-unknown = { square }: unbekannt.
sheet-coat = { square }: { $question } { $coats ->
    [0] Nein
   *[other] Ja
}: { $likely }.
spot-and-more = { $spot } und { $n ->
    [one] ein weiteres
   *[other] { $n } weitere
}
sheet-spot-may-be = { $spot }: vielleicht { $instead }.
sheet-spot-may-partly-be = { $spot }: vielleicht zum Teil { $instead }.
sheet-spot-unknown = { $spot }: nicht bekannt.
sheet-spots-set = { $n ->
    [one] Eine Angabe wurde von Hand gemacht.
   *[other] { $n } Angaben wurden von Hand gemacht.
}
sheet-more = { $n ->
    [one] Ein weiterer ist hier nicht gezeigt.
   *[other] { $n } weitere sind hier nicht gezeigt.
}
sheet-several = { $n ->
    [one] { $n } Eintrag
   *[other] { $n } Einträge
}
sheet-photo = Foto
sheet-corrected = { $n ->
    [one] Ein Plättchen oder Meeple wurde von Hand korrigiert.
   *[other] { $n } Plättchen und Meeple wurden von Hand korrigiert.
}
sheet-signature = Unterschrift
sheet-referee = Schiedsrichter
sheet-date = Datum

## Wie wahrscheinlich etwas ist
percent-exactly = { $n } %
percent-more = über { $n } %
percent-less = unter { $n } %

## Erweiterungen mit eigenen Regeln
box-base = Grundspiel
box-river1 = „Der Fluss“
box-river2 = „Der Fluss II“
box-inns = „Wirtshäuser & Kathedralen“
box-traders = „Händler & Baumeister“
box-abbot = „Der Abt“
box-abbey = „Abtei & Bürgermeister“
box-siege = „Die Belagerer“
box-hills = „Schafe & Hügel“
box-monasteries = „Klöster in Deutschland“
