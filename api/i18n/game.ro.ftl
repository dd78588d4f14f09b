# Un joc al cărui scor se ține din fotografii.

game-who = Cine joacă?
game-who-hint = Atinge culorile în ordinea în care mută jucătorii.
game-about = O cameră urmărește masa, face o fotografie după fiecare mutare și numără. Nimeni nu trebuie să scrie nimic.
game-points-of = { $colour } până acum
game-on-turn = Cine e la rând?
game-boxes = Extensii și reguli
game-base-games = Jocuri de bază
game-boxes-in-play = Extensii în joc
game-wonders = Minuni pentru fiecare
game-begin = Începe
game-range = între { $low } și { $high }
game-unsettled = nelămurit
game-tied = { $players } sunt la egalitate.
game-leads = { $player } conduce cu { $n }.
game-left = { $n ->
    [one] A mai rămas { $n } cartonaș.
    [few] Au mai rămas { $n } cartonașe.
   *[other] Au mai rămas { $n } de cartonașe.
}
game-chart = { $n ->
    [one] Punctele după o mutare: { $players }
    [few] Punctele după { $n } mutări: { $players }
   *[other] Punctele după { $n } de mutări: { $players }
}
game-camera = Cameră
game-watch = Urmărește masa
game-watch-no-more = Oprește camera
game-take-now = Fotografiază acum
game-hands-off = Pune telefonul pe un suport, ca să vadă toată masa de sus. După fiecare mutare face o fotografie. Poți fotografia și tu, de câte ori marchează cineva.
game-state-starting = Camera pornește.
game-state-moving = O mutare …
game-state-reached = Ceva e deasupra mesei. Fotografia se face după ce dispare.
game-state-still = Masa e urmărită.
game-state-lost = Camera nu mai e disponibilă. Continuă de îndată ce revine.
game-to-send = { $n ->
    [one] O fotografie așteaptă să fie trimisă.
    [few] { $n } fotografii așteaptă să fie trimise.
   *[other] { $n } de fotografii așteaptă să fie trimise.
}
game-to-read = { $n ->
    [one] O fotografie este citită.
    [few] { $n } fotografii sunt citite.
   *[other] { $n } de fotografii sunt citite.
}
game-camera-insecure = Browserul deschide camera numai prin HTTPS. Pornește serverul cu „wondertally serve --lan” și deschide adresa afișată sau fotografiază tu.
game-camera-denied = Browserul nu are voie să folosească camera. Permite-i în setările paginii sau fotografiază tu.
game-camera-missing = Aici nu există nicio cameră. Fă sau alege tu fotografiile.
game-camera-busy = Alt program folosește camera. Închide-l și încearcă din nou.
game-unreached = Serverul nu poate fi contactat. Fotografiile așteaptă pe acest dispozitiv.
game-watching = Urmărești jocul. Scorul se actualizează singur.
game-begun = Prima fotografie a sosit. Punctele se numără începând cu următoarea.
game-open-title = Întrebări deschise
game-more-open = { $n ->
    [one] Încă una
    [few] Încă { $n }
   *[other] Încă { $n }
}
game-photo-aside = Fotografia { $n } nu contează: { $reason }
game-log = Jurnal
game-assumed = presupus
game-open = neclar
game-assumed-hint = Nicio fotografie nu arată piesa aceasta: probabil a fost pusă și luată imediat înapoi.
game-not-taken = Aici nu s-a pus nicio piesă
game-other-tile = Aici e alt cartonaș
game-no-tile = Aici nu e niciun cartonaș
game-other-piece = Aici stă altă piesă
game-no-piece = niciuna
game-set-piece = Pune această piesă
game-other-turn = Era rândul altui jucător
game-type-points = Scrie punctele
game-type-points-hint = Punctele de pe tabela de scor din acest moment. Ele lămuresc ce lasă fotografiile neclar.
game-type-points-go = Acestea sunt punctele
game-no-photo-yet = Încă nu există nicio fotografie.
game-leave-photo-out = Lasă fotografia deoparte
game-said = Corecturi
game-take-back = Retrage: { $what }
game-said-points = Punctele la fotografia { $n }: { $points }
game-said-turn = { $n ->
    [first] { $player } era la rând la prima fotografie
   *[other] { $player } era la rând la fotografia { $n }
}
game-said-not_taken = Nicio piesă pusă: { $square }
game-said-tile = { $what ->
    [none] Niciun cartonaș: { $square }
   *[some] Cartonaș ales: { $square }
}
game-said-piece = { $what ->
    [none] Nicio piesă: { $square }
   *[some] { $player }: { $square }
}
game-said-wonder_owner = { $player } a luat o minune
game-said-aside = Fotografia { $n } a fost lăsată deoparte
game-link = Link pentru spectatori
game-link-hint = Cine îl are vede scorul și jurnalul.
game-link-keep = Link pentru ținerea scorului
game-link-keep-hint = Cine îl are poate adăuga fotografii și corecta.
game-file-txt = Jurnal (text)
game-file-json = Tot (JSON)
game-file-csv = Tabel (CSV)
game-file-png = Graficul scorului (PNG)
game-delete-sure = Jocul se șterge imediat, cu toate fotografiile, pentru toți.
game-finish = Încheie jocul
game-finish-hint = Se adaugă punctarea finală a ultimei fotografii. Fotografiază înainte ca piesele să fie luate de pe masă. Poți continua mai târziu.
game-go-on = Continuă jocul
game-over = Jocul s-a încheiat
game-wins = { $player } câștigă cu { $points }.
game-draw = { $players } împart victoria cu { $points }.
game-in-play = Tabelă de scor
game-final = Punctare finală
game-total = Total
