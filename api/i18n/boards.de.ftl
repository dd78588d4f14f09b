### Die leeren Pläne eines Spiels zeigen, auf Deutsch.

boards-title = dein Spielplan
boards-about = Zeig einmal den leeren Spielplan. Danach wertet dieser Server Fotos vom Spielende aus.
boards-how-clear = Räum den Spielplan ab: Nichts darf darauf liegen.
boards-how-card = Leg eine Bankkarte oder Kundenkarte dieser Größe neben den Spielplan, mit der Rückseite nach oben. Sie verrät, wie groß der Plan ist.
boards-how-photo = Mach von oben ein scharfes Foto, auf dem der ganze Spielplan und die Karte zu sehen sind.
boards-picture-board = Spielplan
boards-file-hint = Hat jemand mit derselben Ausgabe das schon gemacht? Dann öffne einfach dessen Datei.
boards-open-file = Spielplan-Datei öffnen
boards-state-begun = Diesen Plan hast du angefangen: Alles bisher ist gespeichert.
boards-state-kept = Dieser Server kennt diesen Plan. Du kannst ihn neu zeigen.
boards-state-new = Dieser Plan wurde noch nicht gezeigt.
boards-go-on = Weitermachen
boards-another-photo = Mit einem anderen Foto neu anfangen
boards-photo = Leeren Spielplan fotografieren
boards-drop = Verwerfen
boards-drop-about = Alles, was du auf diesem Plan bisher markiert hast, geht verloren.
boards-in-force = In Gebrauch
boards-read-now = Fotos dieses Spiels werden mit deinem Spielplan ausgewertet.
boards-still-missing = Für eine Wertung fehlt noch:
boards-undo = Letzte Änderung rückgängig machen
boards-undone = Die letzte Änderung ist rückgängig gemacht.
boards-download = Spielplan-Datei herunterladen
boards-reading = Der Spielplan wird im Foto gesucht …
boards-kept = Fertig: Von jetzt an wertet dieser Server Fotos mit { $n ->
    [one] diesem Plan
   *[other] diesen Plänen
} aus: { $boards }.
boards-picture-label = Foto des Spielplans. Pfeiltasten verschieben, Plus und Minus zoomen, Enter markiert die Mitte.
boards-steps = Schritte
boards-step-corners = Ecken
boards-step-size = Größe
boards-step-places = Felder
boards-step-numbers = Zahlen
boards-keep = Fertig
boards-later = Später
boards-corners-found = Liegt der Rahmen auf den Rändern des Plans und die gelbe Seite oben? Dreh ihn, oder zieh einen Punkt.
boards-corner-tap = Tippe auf die Ecke des Plans { $n ->
    [1] oben links
    [2] oben rechts
    [3] unten rechts
   *[other] unten links
}, so wie man ihn liest.
boards-card-found = Liegt der Rahmen auf der Karte? Sonst zieh einen Punkt.
boards-card-tap = Tippe auf die Mitte der Karte neben dem Plan.
boards-card-corner = Tippe der Reihe nach auf die vier Ecken der Karte, als wären sie nicht rund: Ecke { $n }.
boards-numbers-about = Gib die Zahlen ein, die auf deinem Spielplan stehen.
boards-numbers-guessed = Diese Zahlen wurden im Foto gelesen. Vergleiche jede mit dem Bild und bestätige sie dann.
boards-numbers-reading = Die Zahlen werden im Foto gelesen. Du kannst sie inzwischen auch eingeben.
boards-places-done = Alles ist markiert. Schau es durch, dann gib die Zahlen ein.
boards-all-done = Alles ist markiert. Schau es durch, dann tippe auf Fertig.
boards-tap-area = Tippe auf den Bauplatz für Bauteile: { $of }
boards-label-area = Bauplatz: { $of }
boards-tap-disc = Tippe auf Platz { $n } für Bauscheiben: { $of }
boards-label-disc = Bauscheibe { $n }: { $of }
boards-tap-track = Siegpunktleiste: Tippe auf Feld 0.
boards-tap-track-on = Tippe auf das nächste Feld, an dem die Leiste um die Ecke geht, und am Ende auf ihr letztes Feld.
boards-label-track = Siegpunktleiste
boards-tap-row-first = Wertungstabelle: Tippe auf die oberste Zeile.
boards-label-row-first = Wertungstabelle, Zeile 1
boards-tap-row-last = Wertungstabelle: Tippe auf Zeile 7, die letzte über dem hellen Feld.
boards-label-row-last = Wertungstabelle, Zeile 7
boards-tap-row-light = Wertungstabelle: Tippe auf das helle Feld für das Spielende.
boards-label-row-light = Wertungstabelle, helles Feld
boards-tap-bonus = Tippe auf die Bonustabelle für Bauscheiben.
boards-label-bonus = Bonustabelle
boards-tap-turn-first = Zugreihenfolge: Tippe auf das unterste Feld.
boards-label-turn-first = Zugreihenfolge, unterstes Feld
boards-tap-turn-last = Zugreihenfolge: Tippe auf das oberste Feld.
boards-label-turn-last = Zugreihenfolge, oberstes Feld
boards-right = Das stimmt
boards-turn = Drehen
boards-corners-anew = Ecken selbst antippen
boards-card-anew = Karte neu antippen
boards-path-done = Das war das letzte Feld
boards-to-numbers = Weiter zu den Zahlen
boards-no-card = Keine Karte im Foto?
boards-width = Breite des Plans in cm
boards-height = Höhe des Plans in cm
boards-use-size = Diese Größe nehmen
boards-all = Alle Stellen ({ $n } von { $all } fehlen)
boards-anew = Neu markieren: { $what }
boards-drag = { $what }: Wenn es nicht ganz passt, zieh an den Punkten.
boards-path-numbers = Die Zahlen auf den angetippten Feldern:
boards-track-counted = Gezählt bis Feld { $n }.
boards-track-unsure = Die Felder bis zum angetippten lassen sich im Bild nicht zählen. Gib unten die Zahl ein, die darauf steht, oder mach den Schritt rückgängig und tippe auf ein näheres Feld.
boards-numbers-right = Die Zahlen stimmen
boards-node = Zahl auf dem angetippten Feld { $n }
boards-value-most = Zeile { $n }: meiste Teile
boards-value-second = Zeile { $n }: zweitmeiste
boards-value-light-most = Helles Feld: meiste Teile
boards-value-light-second = Helles Feld: zweitmeiste
boards-value-bonus = { $n ->
    [one] Punkte für { $n } Scheibe
   *[other] Punkte für { $n } gleiche Scheiben
}
boards-value-bonus-two-coloured = { $n ->
    [one] Punkte für { $n } Scheibe (nur mit zweifarbigen)
   *[other] Punkte für { $n } Scheiben (nur mit zweifarbigen)
}
boards-missing = { $n ->
    [one] Eine Angabe fehlt
   *[other] { $n } Angaben fehlen
} noch: { $what }
boards-cut-out = Dieser Teil deines Spielplans
boards-dot = Punkt { $n }
boards-picture-map = Kartentafel, Seite A
boards-picture-resources = Ressourcentafel, Seite A
boards-grid-about = Liegt das Gitter auf den Feldern? Blau ist Wasser, gelb ein Bodenschatz: Tippe auf ein Feld, um es zu ändern.
boards-tap-map = Das Gitter der Karte wird gesucht.
boards-label-map = Gitter der Karte
boards-rows = Reihen
boards-columns = Spalten
boards-tap-resource = { $of }: Tippe auf Feld 0 der Leiste.
boards-tap-resource-on = { $of }: Tippe auf das letzte Feld der Leiste.
boards-label-resource = Leiste: { $of }
boards-track-gold = Gold
boards-track-population = Bevölkerung
boards-track-food = Nahrung
boards-track-ceramics = Keramik
boards-track-gears = Zahnräder
boards-picture-map-of = Kartentafel von { $colour }, Seite B
boards-picture-resources-b = Ressourcentafel, Seite B
boards-fact-map-side = Mit welcher Seite der Kartentafeln spielst du?
boards-fact-map-side-A = A: der See
boards-fact-map-side-B = B: die Flüsse
boards-fact-resources-side = Mit welcher Seite der Ressourcentafeln spielst du?
boards-fact-resources-side-A = A
boards-fact-resources-side-B = B
boards-fact-mundo = Ich habe die Mundo-Erweiterung
boards-fact-rings = Monumentkarten
boards-fact-rings-hint = Wie viele Ringe (Siegpunkte) zeigt jede Karte? Jede Zahl wird beim Eintippen gespeichert. Eine Zahl, die du auslässt, wird erst gebraucht, wenn dieses Monument auf einer Kartentafel steht.
boards-left = Das fehlt noch:
boards-nothing-left = Es fehlt nichts mehr: Fotos deiner Partien können gewertet werden.
boards-pieces = { $n ->
    [0] Noch kein Monument ist vom Aussehen her bekannt. Benenne eines auf einem Foto, und es wird von da an erkannt.
    [one] Ein Monument ist vom Aussehen her bekannt. Benenne weitere auf einem Foto, und sie werden von da an erkannt.
   *[other] { $n } Monumente sind vom Aussehen her bekannt. Benenne weitere auf einem Foto, und sie werden von da an erkannt.
}
boards-shapes = Gebäudeplättchen
boards-shapes-about = { $n ->
    [0] Zeichne, welche Felder ein Plättchen jedes Stapels bedeckt. Sind alle Formen bekannt, werden Plättchen, die nebeneinanderliegen, viel besser unterschieden.
    [one] Eine Form ist bekannt. Zeichne auch die anderen: Ein Plättchen, dessen Form nicht bekannt ist, wird kaum je richtig erkannt.
   *[other] { $n } Formen sind bekannt.
}
boards-shapes-begun = Du hast mit dem Zeichnen begonnen: Alles bisher ist gespeichert.
boards-shapes-draw = Formen zeichnen
boards-shapes-change = Formen ändern
boards-shapes-photo = Plättchen fotografieren
boards-shapes-photo-hint = Praktisch, aber nicht nötig: Lege von jeder Form ein Plättchen nebeneinander und fotografiere sie, damit du sie beim Zeichnen vor Augen hast.
boards-shapes-prompt = Form { $n }: Tippe auf die Felder, die das Plättchen bedeckt. Wie herum, ist egal.
boards-shapes-prompt-photo = Form { $n }: Tippe im Foto auf das Plättchen und zeichne dann die Felder, die es bedeckt.
boards-shapes-list = Formen
boards-shapes-one = Form { $n }
boards-shapes-add = Weitere Form
boards-shapes-remove = Form { $n } entfernen
boards-shapes-grid = Felder von Form { $n }
boards-shapes-square = Reihe { $row }, Spalte { $col }
boards-shapes-picture-label = Foto der Plättchen. Pfeiltasten verschieben, Plus und Minus zoomen, Enter markiert die Mitte.
boards-shapes-drop-about = Alles, was du seit Beginn gezeichnet hast, geht verloren. Formen, die vorher bekannt waren, bleiben.
boards-shapes-kept = { $n ->
    [0] Es sind keine Formen von Gebäudeplättchen mehr bekannt.
    [one] Fertig: Eine Form der Gebäudeplättchen ist bekannt.
   *[other] Fertig: { $n } Formen der Gebäudeplättchen sind bekannt.
}
boards-to-photo = Eine Partie werten
boards-tap-rings = Bevölkerung: Tippe jedes Feld mit einem Ring an, zweimal, wo es zwei sind.
boards-label-rings = Ringe auf der Bevölkerungsleiste
boards-tap-symbols = { $of }: Tippe jedes Feld mit einem Bevölkerungssymbol an. Du kannst das auch auslassen.
boards-label-symbols = Bevölkerungssymbole: { $of } (muss nicht sein)
boards-spaces-done = Das waren alle
pieces-offer = { $names }: Soll dieser Server { $n ->
    [one] das
   *[other] sie
} von jetzt an am Aussehen erkennen?
pieces-keep = Merken
pieces-kept = { $names }: { $n ->
    [one] wird
   *[other] werden
} von jetzt an am Aussehen erkannt.
boards-no-picture = Das Foto des Spielplans konnte nicht geladen werden.
