### Der Turmbau zu Babel, auf Deutsch.

## Was auf dem Tisch liegt
wonder-giza = Pyramiden von Gizeh
wonder-colossus = Koloss von Rhodos
wonder-zeus = Zeus-Statue in Olympia
wonder-gardens = Hängende Gärten von Babylon
wonder-mausoleum = Mausoleum von Halikarnassos
wonder-lighthouse = Leuchtturm von Alexandria
wonder-artemis = Tempel der Artemis in Ephesos
wonder-babel = Turm zu Babel
disc-camel = Kamel
disc-crane = Kran
disc-ship = Schiff
disc-mason = Steinmetz
disc-camel-crane = Kamel und Kran
disc-camel-ship = Kamel und Schiff
disc-camel-mason = Kamel und Steinmetz
disc-crane-ship = Kran und Schiff
disc-crane-mason = Kran und Steinmetz
disc-ship-mason = Schiff und Steinmetz
card-disc-bonus = Bonus für Bauscheiben
card-points = 5 Siegpunkte
kind-discs = Bauscheiben
kind-card = Aktionskarten
spot-parts = { $wonder }, { $player }: Bauteile vom Wert { $worth }
spot-discs_left = { $wonder }: verbliebene Bauscheiben
spot-track = { $player }: Punkte auf der Siegpunktleiste
spot-row = Wertungsstein: um so viele Zeilen nach unten gerückt
spot-two_coloured = Zweifarbige Scheiben
spot-held = { $player }: Bauscheiben, { $disc }
spot-cards = { $player }: Aktionskarten, { $card }
value-row-light = helles Feld
spots-parts = Bauteile
spots-discs_left = Bauscheiben an Weltwundern
spots-track = Siegpunktleiste
spots-row = Wertungstabelle
spots-two_coloured = { spot-two_coloured }
ask-spot-two_coloured = Waren die zweifarbigen Scheiben im Spiel?
spots-held = Bauscheiben der Spieler
spots-cards = Aktionskarten, die zählen
cell-held = Bauscheiben: { $disc }
cell-cards = Aktionskarten: { $card }
cell-track = Punkte auf der Leiste
sheet-spot-parts = { $value } × { $worth }
sheet-spot-discs_left = noch { $value }

## Regeln
rule-wonder-most = Die meisten Bauteile
rule-wonder-tied = Gleichstand bei den meisten Bauteilen
rule-wonder-second = Die zweitmeisten Bauteile
rule-wonder-part = Bauteile an einem Weltwunder
rule-discs-kind = Bauscheiben einer Sorte
rule-cards-disc-bonus = Bonus für Bauscheiben
rule-cards-points = 5 Siegpunkte

## Wo die Regeln stehen
explain-section-babel-end = Spielende
explain-section-babel-cards = Aktionskarten

## Rechnungen der Einträge
worth-on-wonder = { $row ->
    [light] { $wonder }: Wert { $worth }, helles Feld
   *[other] { $wonder }: Wert { $worth }, Zeile { $row }
}
entry-wonder-most = { worth-on-wonder }
entry-wonder-tied = { worth-on-wonder }
entry-wonder-second = { worth-on-wonder }
entry-wonder-part = { worth-on-wonder }
entry-discs-kind = { $two_coloured ->
    [0] { $discs } × { $disc }
   *[other] { $discs } × { $disc } (davon zweifarbig: { $two_coloured })
}
entry-cards-disc-bonus = { $cards ->
    [one] { $cards } Karte, Scheiben: { $discs } × { $each }
   *[other] { $cards } Karten, Scheiben: { $discs } × { $each }
}
entry-cards-points = { $cards } × { $each }

## Probleme eines Tisches
problem-too_many_parts = { $player } hat { $number } Bauteile vom Wert { $worth } an Weltwundern; höchstens { $most } sind möglich.
problem-too_many_completed = { $number } Weltwunder sind fertig; höchstens { $most } sind möglich.
problem-parts_on_completed = { $wonder } ist fertig, aber dort liegen noch Bauteile im Wert von { $worth }.
problem-marker_elsewhere = Der Wertungsstein ist um { $row } nach unten gerückt, aber fertige Weltwunder: { $number }.
problem-parts_without_discs = { $wonder }: Bauteile im Wert von { $worth } und { $taken ->
    [one] { $taken } genommene Scheibe
   *[other] { $taken } genommene Scheiben
} passen nicht zusammen; möglich wären { $least } bis { $most }.
problem-too_many_two_coloured = Die Spieler haben { $number } zweifarbige Scheiben; höchstens { $most } sind möglich.
problem-too_many_discs = Die Spieler haben { $number } Scheiben einer Sorte ({ $disc }); höchstens { $most } sind möglich.
problem-discs_do_not_add_up = { $left ->
    [one] { $left } Scheibe liegt an Weltwundern
   *[other] { $left } Scheiben liegen an Weltwundern
} und { $held } vor Spielern; im Spiel sind aber { $all }.
problem-too_many_cards = Die Spieler haben { $number } × { $card }; höchstens { $most } sind möglich.
problem-no_kind_used_up = An den Weltwundern liegen noch Scheiben jeder Sorte (insgesamt { $left }), das Spiel ist also nicht zu Ende: Gewertet wird, als wäre jetzt Schluss.

## Fehler
error-strange_spot = Das kann dort nicht liegen.
