language = Sprache
skip-to-main = Zum Inhalt
about = Fotografiere den Tisch am Spielende und erhalte die Punkte aller Spieler: Jeder einzelne ist auf dem Foto erklärt.
about-carcassonne = Fotografiere das Spielende bei Carcassonne und erhalte die Punkte aller Spieler: Jeder einzelne ist auf dem Foto erklärt.
games-here = Spiele, die hier ausgewertet werden
title = Wer hat gewonnen?
close = Schließen
cancel = Abbrechen
needs-script = Diese Seite braucht JavaScript.

take-photo = Foto aufnehmen
choose-photos = Fotos auswählen
drop-or-paste = Du kannst Fotos auch irgendwo auf diese Seite ziehen oder einfügen.
chosen-photos = Ausgewählte Fotos
several-photos = Zeigt ein Foto nicht den ganzen Tisch, füge weitere hinzu, die sich überlappen.
read = { $n ->
    [one] Punkte zählen
   *[other] Punkte aus { $n } Fotos zählen
}
photo-number = Foto { $n }
remove-photo = Foto { $n } entfernen
no-photo = Diese Datei ist kein Bild.
try-example = Kein Spiel zur Hand? Probiere ein Beispielfoto aus
try-question = Oder ein Foto, das eine Frage offenlässt
uploading = Wird gesendet …
uploaded = { $share } gesendet
uploaded-all = Gesendet. Das Foto wird ausgewertet …
server-full = Der Server ist gerade voll. Diese Seite wartet und macht dann von selbst weiter …
my-games = Deine Spiele
my-games-hint = Bei diesen Spielen zählt die Kamera mit. Tippe eines an, um weiterzumachen.
my-readings = Deine Auswertungen
my-readings-hint = Diese Liste liegt nur auf diesem Gerät. Wenn du einen Eintrag entfernst, wird auf dem Server nichts gelöscht.
play-again = Noch eine Partie
won = gewonnen:
forget = Aus der Liste entfernen
not-read-yet = noch nicht ausgewertet
tips = Für ein gutes Ergebnis
tip-whole = Das ganze Spielfeld im Bild, mit etwas Tisch ringsum.
tip-above = Eher von oben als von der Seite.
tip-light = Helles, gleichmäßiges Licht und keine Hand über dem Spielfeld.
privacy = Ort und Zeit der Aufnahme werden entfernt, bevor ein Foto gespeichert wird. Gelöscht wird es nach einigen Wochen, auf Wunsch sofort.

a-reading = Eine Auswertung
a-board = Ein Spielfeld
reading-photo = Dein Foto wird ausgewertet
reading-starts = Gleich geht es los.
reading-opens = Auswertung wird geöffnet …
queued = { $n ->
    [one] Ein Foto ist noch vor deinem an der Reihe.
   *[other] { $n } Fotos sind noch vor deinem an der Reihe.
}
queued-next = Deins kommt als Nächstes.
scoring = Wird gewertet
stage-decode = Foto öffnen
stage-lattice = Plättchen finden
stage-track = Wertungstafel suchen
stage-tiles = Plättchen erkennen
stage-legal = Prüfen, ob alles zusammenpasst
stage-meeples = Meeple finden
stage-score = Punkte zählen
stage-game = Spiel erkennen
stage-opening = { stage-decode }
stage-board = Spielplan finden und lesen
stage-counting = { stage-score }
that-failed = Das hat nicht geklappt
failed-photo = Das Foto, das nicht ausgewertet werden konnte
another-photo = Anderes Foto versuchen
retake = Noch einmal fotografieren
retake-cut = Das Spielfeld ist { $sides } abgeschnitten oder kaum zu sehen: Fotografiere es von oben und aus größerer Entfernung.
retake-left = links
retake-right = rechts
retake-top = oben
retake-bottom = unten
advice-PhotoError = Öffne das Bild und speichere es neu als JPEG, oder nimm das Foto noch einmal auf.
advice-too_large = Speichere es kleiner und sende das.
advice-truncated_image = Sende es noch einmal, und bleib auf dieser Seite, bis es gesendet ist.
advice-ReadingError = Fotografiere das ganze Spielfeld von oben, mit etwas Tisch ringsum, bei hellem, gleichmäßigem Licht.
advice-photos_do_not_join = Die Fotos müssen sich um ein paar Plättchen überlappen: Am besten machst du eines aus größerer Entfernung, das alles zeigt.
advice-photos_out_of_order = Sende sie in der Reihenfolge, in der sie entstanden sind, jedes mit dem ganzen Spielfeld.
advice-InputError = Prüfe deine Eingabe und versuch es noch einmal.
advice-CorrectionError = Nichts wurde geändert: Sieh dir das Spielfeld noch einmal an und wähle neu.
advice-EnrolmentError = Prüfe das Foto und die Eingaben und versuch es noch einmal.
advice-cannot_write_enrolment = Frag den Betreiber dieses Servers.
advice-game_not_enrolled = Zeig diesem Server zuerst den leeren Spielplan, von der Startseite aus.
advice-models_missing = Bitte den Betreiber dieses Servers, Wondertally neu zu installieren.
advice-unsupported_game = Wähle ein anderes Spiel.
advice-QuestionError = Lade diese Seite neu und wähle noch einmal.
advice-BatchError = Korrigiere die Liste und speichere sie noch einmal.
advice-ScoringError = Korrigiere das und versuch es noch einmal.
advice-bad_answer = Lade diese Seite neu und versuch es noch einmal.
missing-page = Diese Seite gibt es nicht
missing-page-why = Vielleicht enthält die Adresse einen Tippfehler, oder der Link wurde unterwegs abgeschnitten.
missing-reading = Diese Auswertung gibt es nicht mehr
missing-reading-why = Sie wurde gelöscht oder ist abgelaufen: Auswertungen werden nur eine Weile aufgehoben. Wenn dir jemand den Link geschickt hat, lass ihn dir noch einmal schicken – vielleicht ist er abgeschnitten.
missing-event = Dieses Turnier gibt es nicht mehr
missing-event-why = Es wurde gelöscht, oder der Link ist unvollständig. Frag die Turnierleitung nach dem Link.
missing-game = Dieses Spiel gibt es nicht mehr
missing-game-why = Es wurde gelöscht oder ist abgelaufen, oder der Link ist unvollständig.
to-first-page = Zur Startseite
links = Weitere Seiten
help-title = Hilfe
help-about = Vom Spielende zu den Punkten.
help-photo = Das Foto
help-photo-text = Fotografiere das ganze Spielfeld von oben, mit etwas Tisch ringsum, bei hellem, gleichmäßigem Licht. Lass alle Figuren stehen. Passt das Spielfeld nicht auf ein Bild, mach mehrere Fotos, die sich überlappen, und schick sie zusammen.
help-check = Prüfen
help-check-text = Die Punkte stehen auf dem Foto. Wo das Foto Zweifel lässt, fragt die Seite nach, das Wichtigste zuerst. Alles andere korrigierst du selbst: Tippe erst auf „Korrigieren“, dann auf den Fehler im Bild. Jede Korrektur lässt sich rückgängig machen.
help-game = Schlusswertung und Wertungstafel
help-game-text = Das Foto zeigt das Spielfeld am Ende. Die Schlusswertung zählt die Meeples, die dort noch stehen: Wiesen sowie Straßen, Städte und Klöster, die nie fertig wurden. Punkte aus dem laufenden Spiel stehen auf der Wertungstafel. Ist die Tafel nicht mit auf dem Bild, trägst du sie unter „Spieler“ ein.
help-camera-text = Ihr spielt noch? Stell ein Handy so auf, dass es den ganzen Tisch sieht: Es nimmt nach jedem Zug ein Foto auf und zählt mit. Du kannst auch selbst fotografieren. „Punkte selbst zählen“ kommt ganz ohne Fotos aus.
help-event = Mehrere Tische
help-event-text = Für ein Turnier oder einen Spieleabend legst du ein Turnier an: Jeder Tisch wird fotografiert, Zweifel werden an einer Stelle geklärt, und die Rangliste aktualisiert sich von selbst. Mit einem QR-Code melden die Spieler ihre Tische selbst, und Zuschauer sehen die Rangliste.
help-photos-kept = Deine Fotos
no-board = Dieser Link enthält kein Spielfeld.

picture = Das Spielfeld
picture-hint = Bild des Spielfelds. Pfeiltasten verschieben es, Plus und Minus vergrößern und verkleinern, 0 zeigt alles. Alles darin ist daneben aufgelistet.
drawn-hint = Das Spielfeld als Zeichnung. Pfeiltasten verschieben sie, Plus und Minus vergrößern und verkleinern, 0 zeigt alles.
sights = Ansicht
sight-photo = Foto
sight-drawn = Zeichnung
sight-both = Foto und Zeichnung
zoom-in = Vergrößern
zoom-out = Verkleinern
zoom-fit = Alles zeigen
photos = Fotos dieses Tisches
photo-of = Foto { $n } von { $most }
photo-before = Vorheriges Foto
photo-next = Nächstes Foto
tools = Werkzeuge
undo = Rückgängig
redo = Wiederholen
reset = Verwerfen
reset-sure = Alle Korrekturen fallen weg, und es gelten wieder die Punkte, die aus dem Foto gelesen wurden. Das lässt sich rückgängig machen.
reset-now = Korrekturen verwerfen
reset-keep = Korrekturen behalten
correct = Korrigieren
table = Spieler
share = Teilen
tap-to-correct = Tippe auf das, was falsch ist: ein Plättchen, eine Figur oder ein leeres Feld.
result = Ergebnis
final-scoring = Schlusswertung, noch ohne Wertungstafel
where-points-come-from = So kommen die Punkte zusammen
all-features = Alle Straßen, Städte, Klöster und Wiesen
rows-and-columns = Reihen und Spalten
all-squares = Alle Felder
player = Spieler
on-track = Wertungs­tafel
on-board = Schluss­wertung
points = Punkte
total = Gesamt
no-entries = Keine Punkte auf dem Spielfeld.
sure = Mit einer Wahrscheinlichkeit von { $share } genau richtig.
unsure = Ein unbekanntes Plättchen kann die Punkte noch ändern.
unsure-unsaid = Die Punkte hängen davon ab, wie viele mitgespielt haben, wie viele Plättchen im Spiel waren oder ob mit den Regeln einer anderen Erweiterung gespielt wurde.
tied = Gleichstand: { $who }
nothing-doubtful = Nichts scheint unsicher.
track-missing = Die Punkte von der Wertungstafel fehlen noch. Wer gewonnen hat, steht also noch nicht fest.
track-unsure = Die Wertungstafel lässt noch Punkte offen. Wer gewonnen hat, steht also noch nicht fest.
no-pieces = Auf diesem Spielfeld steht kein Meeple, deshalb punktet hier niemand.
add-a-photo = Foto hinzufügen
say-it = Eintragen
doubtful = Hier ist etwas unsicher.
points-changed = { $player } { $before } → { $now }
rescored = Neu gezählt: { $points }.
added-up = Zusammengezählt: { $points }.
problems = Verstöße gegen die Regeln
warnings = { $n ->
    [one] Ein Hinweis zu diesem Tisch
   *[other] { $n } Hinweise zu diesem Tisch
}

kinds-district = Gebäudeplättchen
kinds-natural_resource = Bodenschätze
kinds-monument = Monumente
kinds-green = Grünflächen
size = { $n } Plättchen
tiles = { $n } Plättchen
pieces = { $n ->
    [one] { $n } Figur
   *[other] { $n } Figuren
}
complete = fertig
open = unfertig
nobody = niemand
nobody-stands = Hier steht keine Figur.
who-stands = Figuren hier
feature-picture = Bild zum Drucken
feature-link = Link dazu
link-to = Link zu { $feature }
feature-gone = { $feature } gibt es auf diesem Spielfeld nicht: Vielleicht wurde seither etwas korrigiert.
its-squares = Die Felder
squares-in-order = Die Felder, nummeriert
mark-at = { $what }: { $square }
open-at = Offen im { $side } von { $square }
touches-complete = Grenzt an die fertige Stadt { $city }
touches-open = Grenzt an die unfertige Stadt { $city }
lines-row = Reihen
lines-column = Spalten
line-row = Reihe { $index }
line-column = Spalte { $index }
run-row = Spalten { $first } bis { $last }
run-column = Reihen { $first } bis { $last }
place = { $what }, { $where }
side-north = Norden
side-east = Osten
side-south = Süden
side-west = Westen
side-north-east = Nordosten
side-north-west = Nordwesten
side-south-east = Südosten
side-south-west = Südwesten
in-doubt = unsicher
set-by-person = von Hand korrigiert
empty = leer

questions = { $n ->
    [one] Eine Sache ist unsicher. Kannst du helfen?
   *[other] { $n } Dinge sind unsicher. Kannst du helfen?
}
questions-left-open = { $n ->
    [one] Eine Frage ist noch offen.
   *[other] { $n } Fragen sind noch offen.
}
questions-left = { $n ->
    [one] letzte Frage
   *[other] { $n } Fragen
}
answer-them = Ansehen
ask-again = Noch einmal fragen
enlarge = Vergrößern
in-the-photo = Im Foto
as-read = wie erkannt
not-sure = Ich bin mir nicht sicher
changes-nothing = gleiche Punkte
asked-of-all = Die Antwort gilt für alle markierten Figuren.
crop = Das Foto bei { $square }

which-tile = Welches Plättchen liegt hier?
turn-left = Nach links drehen
turn-right = Nach rechts drehen
unknown-tile-lies = Ein unbekanntes Plättchen
no-tile-yet = Wähle ein Plättchen
no-tile-fits = Kein Plättchen passt zu denen ringsum.
all-tiles = Alle Plättchen zeigen
tiles-with = Nur Plättchen mit
tiles-with-road = Straße
tiles-with-city = Stadt
tiles-with-coat = Wappen
tiles-with-monastery = Kloster
tiles-none = Kein Plättchen hat das alles.
tiles-of-other-boxes = Plättchen anderer Erweiterungen
tiles-of-box = Erweiterung
tiles-usual = die üblichen
wonder-here = Hier beginnt ein Wunder
set-wonder = Hierhin legen
set-tile = Zu diesem Plättchen ändern
add-tile = Dieses Plättchen hinzufügen
right-as-it-is = So ist es richtig
no-tile = Hier liegt keins
no-wonder = Hier ist kein Wunder
unknown-tile = Ein Plättchen, aber keins von diesen
pieces-here = Figuren darauf
add-piece = Figur hinzufügen

stands-on = Sie steht auf
colour = Farbe
piece = Figur
pose = Lage
set-piece = Figur so ändern
no-piece = Hier steht keine
elsewhere = Auf einem anderen Feld
pick-place = Tippe dorthin, wo sie steht.
piece-on = Eine Figur auf { $square }
new-piece-on = Neue Figur auf { $square }

players = Spieler
track-hint = Die Punkte jedes Spielers auf der Wertungstafel, aus der ganzen Partie vor der Schlusswertung.
name-of = Name von { $colour }
track-of = Wertungstafel: { $colour }
track-is = { $colour }: { $points ->
    [one] { $points } Punkt
   *[other] { $points } Punkte
} auf der Wertungstafel
track-other = Andere Punkte
no-more-tiles = Hier lag kein Plättchen mehr
base-games-lie-here = Ja, { $games } Grundspiele
track-points = Punkte auf der Wertungstafel
add-up = Zusammenzählen
one-less = { $player }: ein Punkt weniger
one-more = { $player }: ein Punkt mehr
points-negative = Weniger als 0 Punkte gibt es nicht.
points-no-number = Gib eine ganze Zahl ein, zum Beispiel 64.
points-too-many = Höchstens 9999 Punkte.
nothing-changed = Es hat sich nichts geändert.
track-empty = Trag ein, wie viele Punkte jeder auf der Wertungstafel hatte.
track-in-photo = Die Wertungstafel ist auf dem Foto
track-not-found = Die Wertungstafel wurde auf dem Foto nicht erkannt. Trag die Punkte ein, oder füge ein Foto hinzu, das nur die Wertungstafel zeigt, senkrecht von oben.
track-read = So wurde es von der Wertungstafel abgelesen. Ändere, was nicht stimmt.
photo-score = Punktestand führen
photo-score-offer = Noch mitten im Spiel? Lass eine Kamera mitzählen
keep-score = Punkte selbst zählen
pad-offer = Noch mitten im Spiel? Selbst mitzählen
pad-about = Tippe erst auf einen Spieler, dann auf die Punkte. Alles bleibt auf diesem Gerät.
pad-offline = Es geht auch ohne Netz.
pad-players = Wer spielt mit?
pad-start = Los geht’s
pad-gets = { $player } bekommt
pad-told = { $player }: { $by }, jetzt { $points }
pad-over = Partie zu Ende?
pad-over-about = Fotografiere das Spielende: Diese Punkte werden mit dem Foto gesendet, nur die Schlusswertung kommt noch dazu.
pad-new = Neue Partie
pad-new-sure = Alle Punkte und Namen auf dieser Seite werden gelöscht.
pad-new-now = Neu beginnen
pad-new-stay = Weiterspielen
take-kept = Hier mitgezählte Punkte übernehmen
starts-anew = Dann werden alle Fotos neu ausgewertet. Namen und die Punkte von der Wertungstafel bleiben, deine Korrekturen auf dem Spielfeld nicht.
add-track-photo = Foto der Wertungstafel hinzufügen
another-player = Noch jemand
wonder-owners = Wem die Wunder gehören
game = Das Spiel
which-rules = Regeln
box-copies = Schachteln auf dem Tisch
box-copies-hint = Gib an, wie oft du eine Schachtel untergemischt hast, 0 für gar nicht. Leere Felder ergeben sich aus den Plättchen.
box-rules = Regeln anderer Erweiterungen
box-rules-hint = Nach den Regeln der Wunder kommen die Plättchen anderer Erweiterungen dazu, aber ohne deren Regeln.
box-rules-unsaid = keine Angabe
box-rules-on = mit ihren Regeln
box-rules-off = nur die Plättchen, ohne ihre Regeln
player-count = Zahl der Mitspieler
player-count-hint = Auch wer keine Figur mehr auf dem Spielfeld hat, zählt mit.
holdings = Gold, König und weitere Punkte
holdings-hint = Gib 1 ein, wenn jemand den König oder den Raubritter besitzt. Weitere Punkte sind die aus Regeln, die hier nicht gewertet werden.
tokens = Waren
tokens-hint = Wie viele Warenplättchen jeder genommen hat.
tokens-of = Waren von { $colour }
tiles-in-play = Plättchen im Spiel
save = Speichern

your-set = Deine eigenen Plättchen
your-set-hint = Wenn hier alles stimmt, kannst du deine Plättchen auf diesem Server hinterlegen. Danach erkennt er sie sicherer.
teach-set = Diese Plättchen hinterlegen
teach-about = Der Server speichert kleine Bilder dieser Plättchen unter den Namen, die sie hier jetzt haben, und nutzt sie für die Auswertung jedes späteren Fotos.
teach-takes = { $n ->
    [one] Hinterlegt wird ein Plättchen.
   *[other] Hinterlegt werden { $n } Plättchen.
}
teach-kinds = { $n ->
    [one] Alle sind gleich.
   *[other] Es sind { $n } verschiedene.
}
teach-wonders = Darunter: { $wonders }.
teach-left-out = { $n ->
    [one] Ein Feld wird ausgelassen, weil es unbekannt, abgeschnitten oder verdeckt ist.
   *[other] { $n } Felder werden ausgelassen, weil sie unbekannt, abgeschnitten oder verdeckt sind.
}
teach-nothing = Hier liegt kein Plättchen, das sich hinterlegen lässt.
teach-doubtful = { $n ->
    [one] Ein Plättchen ist noch unsicher. Prüfe es zuerst, denn auch ein falsches würde hinterlegt.
   *[other] { $n } Plättchen sind noch unsicher. Prüfe sie zuerst, denn auch falsche würden hinterlegt.
}
teach-undo = Das lässt sich jederzeit rückgängig machen.
teach-local-only = Von hier aus kannst du auf diesem Server nichts hinterlegen, denn das ändert die Auswertungen aller. Öffne diese Seite auf dem Rechner, auf dem der Server läuft (als http://localhost), kopple dieses Gerät dort („Auf dem Handy öffnen“) oder lass dir vom Betreiber einen API-Schlüssel geben.
teach-key-wanted = Ohne API-Schlüssel kannst du auf diesem Server nichts hinterlegen, denn das ändert die Auswertungen aller. Der Betreiber kann dir einen geben.
api-key = API-Schlüssel
key-about = Dieser Server verlangt einen API-Schlüssel. Der Betreiber kann dir einen geben.
enter-key = API-Schlüssel eingeben
remember-key = Auf diesem Gerät merken
use-key = Diesen Schlüssel verwenden
key-kept = In diesem Browser ist ein API-Schlüssel für diesen Server gespeichert.
forget-key = Schlüssel entfernen
set-name = Name für diese Plättchen
learnt = { $n ->
    [one] Hinterlegt: { $name }, ein Plättchen.
   *[other] Hinterlegt: { $name }, { $n } Plättchen.
}
read-again = Dieses Foto neu auswerten
read-again-hint = Fertige Auswertungen ändern sich nicht. Wird dasselbe Foto neu ausgewertet, entsteht eine neue Auswertung ohne die Korrekturen von hier.
taught = Auf diesem Server hinterlegt
taught-nothing = Noch nichts.
taught-about = { $n ->
    [one] ein Plättchen, aus { $source }, { $made }
   *[other] { $n } Plättchen, aus { $source }, { $made }
}
forget-it = Entfernen
forget-set = { $name } entfernen
forgotten = Entfernt: { $name }.
is-forgotten = Entfernt
bring-back = Zurückholen
bring-back-set = { $name } zurückholen
brought-back = { $name } ist wieder hinterlegt.

teach-copy = Mein Plättchen sieht anders aus
teach-wonder = { $wonder }: dein Exemplar
wonder-mode = Was möchtest du ändern?
wonder-mode-edges = Ränder
wonder-mode-joins = Verbindungen
wonder-hint-edges = Tippe auf einen Rand, um zwischen Wiese, Straße und Stadt zu wechseln.
wonder-hint-joins = Um zwei Straßen- oder Stadtenden zu verbinden, ziehe von einem zum anderen oder tippe beide an. Noch einmal trennt sie wieder. Tippst du als Zweites auf ein nummeriertes Feld, gehört auch dieses Feld zur Straße oder Stadt.
wonder-meaning = In Worten
wonder-undo = Letzte Änderung rückgängig machen
wonder-redo = Änderung wiederholen
wonder-undone = Die letzte Änderung ist rückgängig gemacht.
wonder-redone = Die Änderung ist wiederholt.
wonder-save = So behalten
wonder-use-here = In diesem Browser speichern
wonder-kept-here = Stattdessen kann dieser Browser dein Exemplar speichern und mit jedem deiner Fotos mitschicken. Du kannst auch die Datei herunterladen.
wonder-no-end = An diesem Rand liegt nur Wiese: Hier gibt es nichts zu verbinden.
wonder-tap-other = Tippe jetzt auf das andere Ende oder auf ein nummeriertes Feld.
wonder-joined = Verbunden.
wonder-parted = Getrennt.
wonder-not-joined = Nur zwei Straßenenden oder zwei Stadtenden lassen sich verbinden.
wonder-square-stays = Dieses Feld muss bleiben.
wonder-end = Feld { $square }, { $side ->
    [N] oberer
    [E] rechter
    [S] unterer
   *[W] linker
} Rand: { $kind ->
    [field] Wiese
    [road] Straße
   *[city] Stadt
}
wonder-square = Feld { $n }
wonder-in-the-photo = Die Felder des Wunders, aus dem Foto ausgeschnitten
wonder-wrong = So kann es noch nicht stimmen
wonder-drop = Entfernen
wonder-lies-on = Liegt auf den Feldern
wonder-walled = Liegt direkt am Wunder
wonder-into-wonder = Endet am Wunder
wonder-into-monastery = Endet am Kloster
wonder-closed = Läuft im Kreis, mit einer Wiese darin
wonder-likelier = Sieh noch einmal hin: Dieser Umriss passt eher zu { $wonder }.
wonder-coats = Wappen
wonder-coats-unknown = unbekannt
wonder-places = Das Wunder selbst und das Kloster
wonder-stands-on = Das Wunder steht auf den Feldern
wonder-marker-on = Der Marker steht auf
wonder-monastery-on = Das Kloster steht auf
wonder-no-monastery = kein Kloster
wonder-taken = Du siehst jetzt das Exemplar aus der Datei.
wonder-kept = Gespeichert: { $wonder } wird ab jetzt so erkannt und gewertet.
wonder-kept-print = Auch das Aussehen seiner Felder ist gespeichert, aus diesem Foto.
wonder-kept-without-print = Das Aussehen seiner Felder ist nicht gespeichert: Dieses Foto zeigt nicht alle, oder es wurde vor zu langer Zeit gesendet.
wonder-kept-in-browser = In diesem Browser gespeichert: Es wird mit jedem Foto mitgeschickt, das du von hier sendest.
wonder-reading-corrected = Die Punkte dieser Auswertung wurden damit neu gezählt.
wonder-take-back = Zurücknehmen
wonder-take-back-of = { $wonder } zurücknehmen
wonder-taken-back = Zurückgenommen: Es gilt wieder das vorherige Exemplar.
wonder-download = Datei herunterladen
wonder-upload = Datei öffnen
wonder-leave = Deine Änderungen an diesem Wunder sind noch nicht gespeichert.
leave-changes = Änderungen verwerfen?
leave-now = Verwerfen
go-on-editing = Weiter bearbeiten
error-where = { $place }: { $error }
place-line = Zeile { $line }, Spalte { $column }
place-key = „{ $key }“
place-edge = Kante { $edge }
place-given = „{ $given }“
place-at = Am Punkt [{ $x }, { $y }]
wonders-of-mine = Deine Wunderplättchen
wonders-hint = Die Wunder sind nicht alle gleich gedruckt. Zeig diesem Server, wie deine aussehen.
wonders-open = Wunder ansehen
wonders-about = Fotografiere ein Wunderplättchen, prüfe das Ergebnis und speichere es. Von da an wird das Wunder so erkannt und gewertet, wie es gedruckt ist.
which-wonder = Welches Wunder ist es?
wonder-photo = Fotografieren
wonder-photo-read = Das Foto wird ausgewertet …
wonder-source-shipped = so, wie es vermutlich gedruckt ist
wonder-source-taught = so, wie es hier hinterlegt ist
wonder-source-named = aus einer Datei, mit der dieser Server gestartet wurde
wonder-source-browser = in diesem Browser gespeichert
wonder-look = Ansehen
wonder-look-at = { $wonder } ansehen
wonder-city = Diese Stadt bedeckt { $n ->
    [one] ein Feld
    [2] zwei Felder
    [3] drei Felder
    [4] vier Felder
   *[other] { $n } Felder
} ({ $squares }) und reicht an { $ends ->
    [0] keinen Rand
    [one] einen Rand
    [2] zwei Ränder
    [3] drei Ränder
    [4] vier Ränder
   *[other] { $ends } Ränder
}.
wonder-city-coats-unknown = Ob sie ein Wappen hat, ist nicht bekannt.
wonder-city-coats = { $n ->
    [one] Sie hat ein Wappen.
   *[other] Sie hat { $n } Wappen.
}
wonder-city-walled = Sie liegt direkt am Wunder: Dort ist die Wiese geteilt.
wonder-road = Diese Straße hat { $ends ->
    [0] kein offenes Ende
    [one] ein offenes Ende
    [2] zwei offene Enden
    [3] drei offene Enden
    [4] vier offene Enden
   *[other] { $ends } offene Enden
} und liegt auf { $n ->
    [one] Feld { $squares }
   *[other] den Feldern { $squares }
}.
wonder-road-into-wonder = Sie endet am Wunder.
wonder-road-into-monastery = Sie endet am Kloster.
wonder-road-into-wonder-monastery = Sie endet am Wunder und am Kloster.
wonder-road-into-nothing = Sie führt nur von Rand zu Rand.
wonder-road-closed = Sie läuft im Kreis, mit einer Wiese darin.
wonder-field = Diese Wiese liegt auf { $n ->
    [one] Feld { $squares }
   *[other] den Feldern { $squares }
} und grenzt an { $cities ->
    [0] keine Stadt
    [one] eine Stadt
    [2] zwei Städte
   *[other] { $cities } Städte
}.
wonder-rules-road_squares = Nach der Anleitung hat dieses Wunder { $there ->
    [one] eine Straße über { $stated } seiner Felder
   *[other] { $there } Straßen über { $stated } seiner Felder
}. Hier { $here ->
    [0] ist keine
    [one] ist es eine über { $found }
   *[other] sind es { $here } über { $found }
}.
wonder-rules-road_ends = Offene Enden seiner Straßen nach der Anleitung: { $stated }; hier: { $found }.
wonder-rules-city_squares = Nach der Anleitung hat dieses Wunder { $there ->
    [one] eine Stadt über { $stated } seiner Felder
   *[other] { $there } Städte über { $stated } seiner Felder
}. Hier { $here ->
    [0] ist keine
    [one] ist es eine über { $found }
   *[other] sind es { $here } über { $found }
}.
wonder-rules-monasteries = { $most ->
    [0] Nach der Anleitung steht auf diesem Wunder kein Kloster.
   *[other] Nach der Anleitung steht auf diesem Wunder ein Kloster.
}
wonder-rules-fields = Wiesen dieses Wunders nach der Anleitung: { $stated }; hier: { $found }. Das kann stimmen: Nicht alle Plättchen sind gleich gestanzt.
wonder-problem-cannot_be_drawn = So müssten sich Straßen und Städte kreuzen, oder sie kämen nicht von Feld zu Feld.
wonder-problem-no_way_out = Eine Straße oder Stadt reicht an keinen Rand: Tippe auf einen Rand für sie oder entferne sie.

link = Link zu dieser Auswertung
board-link = Das Spielfeld in einem Link
board-link-hint = Enthält das ganze Spielfeld. Kein Server speichert es, und ein Foto ist nicht dabei.
copy = Kopieren
copied = Kopiert.
share-with = Teilen …
others-may-correct = Andere dürfen korrigieren
download = Herunterladen
download-pdf = Seite zum Drucken (PDF)
download-picture = Foto mit Punkten (JPEG)
share-picture = Foto mit Punkten teilen
bg-stats = In BG Stats öffnen
bg-stats-hint = Namen und Punkte gehen an diese App; sie fragt, bevor sie etwas speichert.
share-again = Das Bild ist fertig: Tippe noch einmal, um es zu teilen.
download-csv = Tabelle (CSV)
download-json = Alles (JSON)
kept-until = Wird aufbewahrt bis { $time }.
delete = Löschen
delete-sure = Foto und Auswertung werden sofort gelöscht, für alle.
delete-now = Jetzt löschen
keep = Behalten
error-offline = Der Server ist nicht erreichbar. Bist du online?
error-bad_answer = Der Server hat eine Antwort geschickt, die diese Seite nicht versteht.

piece-disc = Scheibe
mark-coat-of-arms = Wappen
mark-inn = Wirtshaus
mark-cathedral = Kathedrale
mark-pig-herd = Schweineherde
rules-C3 = Heute: eine Wiese bringt 3 für jede fertige Stadt
rules-C3-2023 = Alhambra bringt 4 je Bauer (vor September 2024), sonst wie heute
rules-C3-original = Wunder werten schon im Zug, in dem sie gelegt werden (ihre ersten Regeln), sonst wie vor 2024
rules-C1-third = Alte Plättchen, ohne Wunder: eine Wiese bringt 3 für jede fertige Stadt
rules-C1-second = Um 2003: niemand wertet eine Stadt für zwei Wiesen; eine Stadt aus zwei Plättchen bringt 2
rules-C1-first = Um 2000: eine Stadt bringt 4 für die meisten Bauern ringsum; eine Stadt aus zwei Plättchen bringt 2

an-event = Ein Turnier
tables-of-event = Tische
tables-find = Spieler oder Tisch
tables-state = Anzeigen
tables-sort = Reihenfolge
tables-all = alle
tables-open = zu prüfen
tables-shown = { $n } von { $all } Tischen
roster = Auslosung
roster-hint = Eine CSV-Datei nennt, wer in welcher Runde an welchem Tisch spielt: Spalten Runde und Tisch, dazu die Mitspielenden nach Farbe oder als Spieler 1, Spieler 2 und so weiter. Fotos eines Tisches gehören dann ihnen.
roster-file = CSV-Datei
roster-saved = { $tables ->
    [0] Es gibt keine Auslosung mehr.
   *[other] Die Auslosung ist gespeichert. Runden: { $rounds }, Tische: { $tables }, Spieler: { $players }.
}
roster-heading = Runde,Tisch,Spieler 1,Spieler 2
no-photo-yet = noch kein Foto
all-rounds = alle Runden
standings-of = Rangliste von
tables-awaited = Tische ohne Foto
paired = Hier spielen: { $players }
sorted-by-urgency = dringende zuerst
sorted-by-place = nach Runde und Tisch
sorted-by-points = nach Punkten
standings = Rangliste
round = Runde { $round }
table-named = Tisch { $table }
place-of = Platz
wins = Siege
state-failed = nicht lesbar
state-doubtful = unsicher
state-sure = sicher
state-waiting = wartet
state-unscorable = nicht wertbar
state-checked = geprüft
somebody = ohne Namen
somebody-else = Jemand anderes
conflict-by = { $who } war schneller ({ $what }). Jetzt ist alles auf dem neuesten Stand: Schau noch einmal hin, dann mach weiter.
changed-tile = Plättchen in { $square }
changed-tiles = Plättchen
changed-piece = Figur in { $square }
changed-pieces = Figuren
changed-table = Angaben zum Spiel
decided-by = { $who }, { $time }
without-track = Ohne die Wertungstafel.
confirm = Stimmt so
unscorable = Nicht wertbar
why = Warum
open-reading = Auswertung öffnen
open-photo = Foto { $n }: groß öffnen
names-and-track = Namen und Punkte auf der Wertungstafel
told-typed = { $table }: Namen und Punkte gespeichert.
standings-open = Noch ohne Sieger, weil die Punkte von der Wertungstafel fehlen: { $tables }.
ranked-by = Rangfolge nach { $order }.
ranked-by-label = Rangfolge nach
rank-wins = Siegen
rank-points = Punkten
rank-share = Anteil an den Punkten des Tisches
print-results = Ergebnisse drucken
hand-in = Eigenen Tisch melden
event-link-hand-in = Link für Spieler, um ihren Tisch selbst zu melden
hand-in-hint = Zeig diesen Code oder druck ihn aus: Wer ihn scannt, kann einen Tisch mit Fotos melden und sonst nichts ändern.
hand-in-code = QR-Code für Spieler
hand-in-code-save = Code als Bild speichern
may-decide = Tische prüfen
token-of-event = Der Schlüssel des Turniers
who-are-you = Wer bist du?
your-name = Dein Name, wie er im Verlauf steht
history = Verlauf
nothing-done = Noch wurde nichts entschieden.
keys = Tastenkürzel
key-next = Nächster Tisch
key-previous = Vorheriger Tisch
key-answer = Diese Antwort wählen
act-checked = geprüft
act-unscorable = nicht wertbar
act-reopened = zurückgenommen
act-corrected = korrigiert
act-reset = alle Korrekturen verworfen
act-undone = Korrektur rückgängig gemacht
act-redone = Korrektur wiederhergestellt
act-shared = andere dürfen korrigieren
act-unshared = nur der Besitzer darf korrigieren
told-checked = { $table }: geprüft.
told-answered = { $table }: beantwortet, neu gezählt.
told-unscorable = { $table }: zählt nicht in der Rangliste.
told-undone = { $table }: zurückgenommen.
export-results = Ergebnisse (CSV)
export-standings = Rangliste (CSV)
export-reports = Berichte (JSON-Zeilen)

events-of-mine = Deine Turniere
events-hint = Mehrere Tische in einer Liste: Fotografiere jeden Tisch, kläre die Zweifel, und die Rangliste aktualisiert sich von selbst. Ein Turnier bleibt auf dem Server, bis es gelöscht wird; diese Liste liegt nur auf diesem Gerät.
make-event = Turnier anlegen
event-named = Name des Turniers
event-link = Link für Zuschauer
event-link-check = Link für Helfer, zum Prüfen und Fotografieren
event-link-hint = Wer ihn hat, kann hier alles ändern und löschen. Bewahre ihn auch selbst auf: Ohne ihn lässt sich von einem anderen Gerät aus nichts ändern.
delete-event-sure = Das Turnier wird sofort gelöscht, mit allen Tischen, Auswertungen und Fotos, für alle.
no-tables = Noch keine Tische.
no-tables-add = Noch keine Tische. Füge den ersten mit seinen Fotos hinzu.
add-table = Tisch hinzufügen
add-photos = Fotos hinzufügen
add-photos-hint = Sie werden zusammen mit den lesbaren Fotos dieses Tisches ausgewertet, deshalb müssen alle denselben Augenblick zeigen.
table-photos = Fotos des Tisches
table-each = Diese Fotos zeigen mehrere Tische
tables-found = Tische: { $n } ({ $names }). Fotos: { $photos }.
table-pattern = Runde und Tisch in den Dateinamen
pattern-wrong = Ein Muster enthält {"{"}table{"}"} und nach Wunsch {"{"}round{"}"}, {"{"}event{"}"} und {"{"}{"}"} für alles andere.
sending-tables = { $name }: Fotos werden gesendet ({ $n } von { $most }).
send-again = Noch einmal senden
leave-out = Weglassen
photos-too-many = { $n ->
    [one] Von einem Tisch wird nur ein Foto ausgewertet.
   *[other] Höchstens { $n } Fotos eines Tisches werden zusammen ausgewertet.
}
round-is = Runde
table-is = Tisch, als Nummer oder Name
contest-is = Wettbewerb
delete-table = Tisch löschen
delete-table-sure = Der Tisch wird sofort gelöscht, mit Auswertung und Fotos, für alle.
state-reading = wird ausgewertet
act-added = Fotos hinzugefügt
told-added = { $table }: wird ausgewertet.
told-same = { $table }: hat diese Fotos schon.
told-deleted = { $table }: gelöscht.
same-picture = { $photo }: dasselbe Bild wie { $other }, das zu einem anderen Tisch gehört.
without-names = In der Rangliste zählt er, sobald jede Farbe hier einen Namen hat.

which-game = Welches Spiel ist es?
recognise-game = Automatisch erkennen
other-games = Hier noch nicht lesbar
other-games-hint = Die leeren Spielpläne dieser Spiele sind auf diesem Server noch nicht hinterlegt. Der Betreiber fotografiert jeden Plan einmal leer und hinterlegt ihn mit diesem Befehl:
show-a-board = Diesem Server deinen leeren Spielplan zeigen
not-known = nicht bekannt
lies-there = Was dort liegt
nothing-there = Dort liegt nichts.
won-by = Gewonnen: { $who }
which-spot = Was liegt hier?
ask-spot = Was liegt hier?
set-spots = So ändern
may-be-instead = { $spot }, vielleicht auch:
to-be-typed = { $n ->
    [one] Eine Angabe fehlt, die kein Foto zeigt. Du kannst sie eingeben.
   *[other] { $n } Angaben fehlen, die kein Foto zeigt. Du kannst sie eingeben.
}
all-typed = Was kein Foto zeigt, kannst du eingeben.
type-them = Eingeben
typed-title = Was kein Foto zeigt
typed-of = Was hat { $player }?
typed-hint = Gib die Zahlen ein, die du siehst. „Sonst nichts“ zählt alles andere hier als null.
typed-before = Zurück
nothing-more = Sonst nichts
nobody-has-more = Niemand hat sonst noch etwas
one-fewer = { $what }: eins weniger
one-further = { $what }: eins mehr
who-plays-hint = Wer mitspielt und wie alle heißen.
all-spots = Alles auf dem Tisch
all-that-scores = Alles, was zählt
tap-to-correct-spot = Tippe an, was falsch ist.
photos-aside = Fotos, auf denen nichts erkannt wurde
unsure-spots = Etwas Unbekanntes kann die Punkte noch ändern.
pieces-there = Auf dem Tisch
pieces-new = Neu
whole-piece = Das ganze Teil ({ $n ->
    [one] { $n } Feld
   *[other] { $n } Felder
})
spots-square = Felder der Spielpläne
spots-resource = Ressourcenmarker
spots-loan = Offene Kredite
spots-objective = Öffentliche Ziele
spots-solo_mode = { spot-solo_mode }
spots-solo_monuments = { spot-solo_monuments }
cell-loan = Offener Kredit
cell-resource = { $resource }

phone-open = Auf dem Handy öffnen
phone-hint = Ein Handy im selben Netz kann Fotos schicken, Fragen beantworten und Punkte notieren.
phone-show = Code anzeigen
phone-scan = Scanne das mit der Kamera des Handys, das im selben Netz sein muss. Warnt sein Browser vor dem Zertifikat, mach weiter: Dieser Rechner hat es erstellt.
phone-code = QR-Code von { $address }
phone-pair = Ein Handy koppeln
phone-pair-about = Ein Handy, das diesen Code scannt, darf auch deine Exemplare hinterlegen und jede Auswertung auf diesem Server korrigieren, bis du es entfernst.
phone-count = { $n ->
    [0] Kein Handy ist gekoppelt.
    [one] Ein Handy ist gekoppelt.
   *[other] { $n } Handys sind gekoppelt.
}
phone-forget = Alle gekoppelten Handys entfernen
phone-plain = Damit Handys hinterlegen und korrigieren dürfen, starte den Server mit „wondertally serve --lan“.
phone-paired = Dieses Gerät darf hier jetzt hinterlegen und korrigieren.
link-only-here = Diese Links öffnen sich nur auf diesem Rechner. Starte den Server mit „wondertally serve --lan“, um sie mit anderen zu teilen.
