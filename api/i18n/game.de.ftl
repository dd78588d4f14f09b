# Ein Spiel, dessen Punktestand aus Fotos entsteht.

game-who = Wer spielt mit?
game-who-hint = Tippe die Farben in der Reihenfolge der Züge an.
game-about = Eine Kamera beobachtet den Tisch, macht nach jedem Zug ein Foto und zählt mit. Niemand muss tippen.
game-points-of = { $colour } bisher
game-on-turn = Wer ist am Zug?
game-boxes = Erweiterungen und Regeln
game-base-games = Grundspiele
game-boxes-in-play = Erweiterungen im Spiel
game-wonders = Wunder für jeden
game-begin = Los
game-range = { $low } bis { $high }
game-unsettled = nicht geklärt
game-tied = { $players } liegen gleichauf.
game-leads = { $player } führt mit { $n } Vorsprung.
game-left = { $n ->
    [one] Noch { $n } Plättchen.
   *[other] Noch { $n } Plättchen.
}
game-chart = { $n ->
    [one] Punkte nach einem Zug: { $players }
   *[other] Punkte nach { $n } Zügen: { $players }
}
game-camera = Kamera
game-watch = Tisch beobachten
game-watch-no-more = Kamera ausschalten
game-take-now = Jetzt fotografieren
game-hands-off = Stell das Telefon so auf, dass es den ganzen Tisch von oben sieht. Nach jedem Zug macht es ein Foto. Du kannst auch selbst fotografieren, immer wenn jemand punktet.
game-state-starting = Die Kamera startet.
game-state-moving = Ein Zug …
game-state-reached = Etwas ragt über den Tisch. Das Foto wartet, bis es weg ist.
game-state-still = Der Tisch wird beobachtet.
game-state-lost = Die Kamera ist weg. Sobald sie wieder da ist, geht es weiter.
game-to-send = { $n ->
    [one] Ein Foto ist noch nicht gesendet.
   *[other] { $n } Fotos sind noch nicht gesendet.
}
game-to-read = { $n ->
    [one] Ein Foto wird ausgewertet.
   *[other] { $n } Fotos werden ausgewertet.
}
game-camera-insecure = Browser öffnen die Kamera nur über HTTPS. Starte den Server mit „wondertally serve --lan“ und öffne die Adresse, die er ausgibt, oder fotografiere selbst.
game-camera-denied = Der Browser darf die Kamera nicht benutzen. Erlaube es in den Einstellungen dieser Seite, oder fotografiere selbst.
game-camera-missing = Hier gibt es keine Kamera. Nimm Fotos selbst auf oder wähle sie aus.
game-camera-busy = Ein anderes Programm benutzt die Kamera. Schließ es und versuch es noch einmal.
game-unreached = Der Server ist nicht erreichbar. Die Fotos warten auf diesem Gerät.
game-watching = Du siehst zu. Der Punktestand aktualisiert sich von selbst.
game-begun = Das erste Foto ist da. Ab dem nächsten werden Punkte gezählt.
game-open-title = Offene Fragen
game-more-open = { $n ->
    [one] Noch eins
   *[other] Noch { $n }
}
game-photo-aside = Foto { $n } zählt nicht: { $reason }
game-log = Verlauf
game-assumed = vermutet
game-open = offen
game-assumed-hint = Diese Figur war auf keinem Foto: Vermutlich wurde sie gesetzt und sofort zurückgenommen.
game-not-taken = Hier wurde keine Figur gesetzt
game-other-tile = Hier liegt ein anderes Plättchen
game-no-tile = Hier liegt kein Plättchen
game-other-piece = Hier steht eine andere Figur
game-no-piece = keine
game-set-piece = Diese Figur setzen
game-other-turn = Jemand anderes war am Zug
game-type-points = Punkte eingeben
game-type-points-hint = Die Punkte auf der Wertungstafel in diesem Moment. Sie klären, was die Fotos offen lassen.
game-type-points-go = Das sind die Punkte
game-no-photo-yet = Es gibt noch kein Foto.
game-leave-photo-out = Dieses Foto weglassen
game-said = Korrekturen
game-take-back = Zurücknehmen: { $what }
game-said-points = Punkte bei Foto { $n }: { $points }
game-said-turn = { $n ->
    [first] { $player } war beim ersten Foto am Zug
   *[other] { $player } war bei Foto { $n } am Zug
}
game-said-not_taken = Keine Figur gesetzt: { $square }
game-said-tile = { $what ->
    [none] Kein Plättchen: { $square }
   *[some] Plättchen gewählt: { $square }
}
game-said-piece = { $what ->
    [none] Keine Figur: { $square }
   *[some] { $player }: { $square }
}
game-said-wonder_owner = { $player } hat ein Wunder genommen
game-said-aside = Foto { $n } wurde weggelassen
game-link = Link zum Zusehen
game-link-hint = Wer ihn hat, sieht den Punktestand und den Verlauf.
game-link-keep = Link zum Mitzählen
game-link-keep-hint = Wer ihn hat, darf Fotos hinzufügen und korrigieren.
game-file-txt = Verlauf (Text)
game-file-json = Alles (JSON)
game-file-csv = Tabelle (CSV)
game-file-png = Grafik des Punktestands (PNG)
game-delete-sure = Das Spiel wird sofort gelöscht, mit allen Fotos und für alle.
game-finish = Spiel beenden
game-finish-hint = Die Schlusswertung des letzten Fotos kommt dazu. Fotografiere, bevor Figuren abgeräumt werden. Du kannst später weiterspielen.
game-go-on = Weiterspielen
game-over = Das Spiel ist zu Ende
game-wins = { $player } gewinnt mit { $points }.
game-draw = { $players } teilen sich den Sieg mit { $points }.
game-in-play = Wertungstafel
game-final = Schlusswertung
game-total = Summe
