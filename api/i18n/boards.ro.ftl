### Arătarea tablelor goale ale unui joc, în română.

boards-title = tabla ta
boards-about = Arată o singură dată tabla goală. De atunci, acest server citește fotografii ale mesei de la sfârșitul jocului.
boards-how-clear = Eliberează tabla: pe ea nu trebuie să fie nimic.
boards-how-card = Pune lângă tablă un card bancar sau de fidelitate de aceeași mărime, cu spatele în sus. El arată cât de mare este tabla.
boards-how-photo = Fă de sus o fotografie clară în care se vede toată tabla și cardul.
boards-picture-board = Tabla de joc
boards-file-hint = A făcut deja asta cineva care are aceeași ediție? Atunci deschide fișierul acelei persoane.
boards-open-file = Deschide un fișier cu tabla
boards-state-begun = Ai început să marchezi această tablă: tot ce ai făcut până acum este salvat.
boards-state-kept = Acest server cunoaște tabla. O poți arăta din nou.
boards-state-new = Această tablă nu a fost încă arătată.
boards-go-on = Continuă
boards-another-photo = Ia-o de la capăt cu altă fotografie
boards-photo = Fotografiază tabla goală
boards-drop = Renunță
boards-drop-about = Tot ce ai marcat până acum pe această tablă se va pierde.
boards-in-force = În uz
boards-read-now = Fotografiile acestui joc sunt citite cu tabla ta.
boards-still-missing = Pentru un scor mai lipsește:
boards-undo = Anulează ultima modificare
boards-undone = Ultima modificare a fost anulată.
boards-download = Descarcă fișierul cu tabla
boards-reading = Tabla este căutată în fotografie…
boards-kept = Gata: de acum acest server citește cu { $n ->
    [one] această tablă
   *[other] aceste table
}: { $boards }.
boards-picture-label = Fotografia tablei. Săgețile o mută, plus și minus apropie și depărtează, Enter marchează mijlocul.
boards-steps = Pași
boards-step-corners = Colțuri
boards-step-size = Mărime
boards-step-places = Spații
boards-step-numbers = Numere
boards-keep = Gata
boards-later = Mai târziu
boards-corners-found = Se află cadrul pe marginile tablei, iar latura galbenă sus? Rotește-l sau trage de un punct.
boards-corner-tap = Atinge colțul { $n ->
    [1] din stânga sus
    [2] din dreapta sus
    [3] din dreapta jos
   *[other] din stânga jos
} al tablei, așa cum se citește.
boards-card-found = Se află cadrul pe card? Dacă nu, trage de un punct.
boards-card-tap = Atinge mijlocul cardului de lângă tablă.
boards-card-corner = Atinge pe rând cele patru colțuri ale cardului, ca și cum nu ar fi rotunjite: colțul { $n }.
boards-numbers-about = Scrie ce este tipărit pe tabla ta.
boards-numbers-guessed = Aceste numere au fost citite din fotografie. Compară fiecare număr cu imaginea, apoi confirmă-le.
boards-numbers-reading = Numerele sunt citite din fotografie. Între timp le poți scrie și tu.
boards-places-done = Totul este marcat. Verifică, apoi scrie numerele.
boards-all-done = Totul este marcat. Verifică, apoi atinge Gata.
boards-tap-area = Atinge spațiul pentru piese de construcție: { $of }
boards-label-area = Piese de construcție: { $of }
boards-tap-disc = Atinge spațiul { $n } pentru discuri de construcție: { $of }
boards-label-disc = Disc de construcție { $n }: { $of }
boards-tap-track = Traseul de scor: atinge spațiul 0.
boards-tap-track-on = Atinge următorul spațiu în care traseul cotește, iar la sfârșit ultimul lui spațiu.
boards-label-track = Traseul de scor
boards-tap-row-first = Tabelul de punctaj: atinge rândul de sus.
boards-label-row-first = Tabelul de punctaj, rândul 1
boards-tap-row-last = Tabelul de punctaj: atinge rândul 7, ultimul de deasupra spațiului deschis la culoare.
boards-label-row-last = Tabelul de punctaj, rândul 7
boards-tap-row-light = Tabelul de punctaj: atinge spațiul deschis la culoare, pentru sfârșitul jocului.
boards-label-row-light = Tabelul de punctaj, spațiul deschis la culoare
boards-tap-bonus = Atinge tabelul de bonusuri pentru discuri de construcție.
boards-label-bonus = Tabelul de bonusuri
boards-tap-turn-first = Traseul ordinii de joc: atinge spațiul de jos.
boards-label-turn-first = Ordinea de joc, spațiul de jos
boards-tap-turn-last = Traseul ordinii de joc: atinge spațiul de sus.
boards-label-turn-last = Ordinea de joc, spațiul de sus
boards-right = Este corect
boards-turn = Rotește
boards-corners-anew = Marchez eu colțurile
boards-card-anew = Ating din nou cardul
boards-path-done = Acesta a fost ultimul spațiu
boards-to-numbers = Mai departe la numere
boards-no-card = Nu se vede niciun card în fotografie?
boards-width = Lățimea tablei în cm
boards-height = Înălțimea tablei în cm
boards-use-size = Folosește această mărime
boards-all = Toate pozițiile (lipsesc { $n } din { $all })
boards-anew = Marchează din nou: { $what }
boards-drag = { $what }: dacă nu se potrivește exact, trage de puncte.
boards-path-numbers = Numerele tipărite pe spațiile atinse:
boards-track-counted = S-a numărat până la spațiul { $n }.
boards-track-unsure = Spațiile până la cel atins nu pot fi numărate în imagine. Scrie mai jos numărul tipărit pe el sau anulează și atinge un spațiu mai apropiat.
boards-numbers-right = Numerele sunt corecte
boards-node = Numărul de pe spațiul atins { $n }
boards-value-most = Rândul { $n }: cele mai multe piese
boards-value-second = Rândul { $n }: locul al doilea
boards-value-light-most = Spațiul deschis: cele mai multe piese
boards-value-light-second = Spațiul deschis: locul al doilea
boards-value-bonus = { $n ->
    [one] Puncte pentru { $n } disc
    [few] Puncte pentru { $n } discuri de același fel
   *[other] Puncte pentru { $n } de discuri de același fel
}
boards-value-bonus-two-coloured = { $n ->
    [one] Puncte pentru { $n } disc (doar cu discuri în două culori)
    [few] Puncte pentru { $n } discuri (doar cu discuri în două culori)
   *[other] Puncte pentru { $n } de discuri (doar cu discuri în două culori)
}
boards-missing = { $n ->
    [one] Mai lipsește un lucru
    [few] Mai lipsesc { $n } lucruri
   *[other] Mai lipsesc { $n } de lucruri
}: { $what }
boards-cut-out = Această parte a tablei tale
boards-dot = Punctul { $n }
boards-picture-map = Tabla cu harta, fața A
boards-picture-resources = Tabla cu resurse, fața A
boards-grid-about = Se potrivește grila cu căsuțele hărții? Albastru este apă, galben este resursă naturală: atinge o căsuță ca s-o schimbi.
boards-tap-map = Se caută grila hărții.
boards-label-map = Grila hărții
boards-rows = Rânduri
boards-columns = Coloane
boards-tap-resource = { $of }: atinge spațiul 0 al traseului.
boards-tap-resource-on = { $of }: atinge ultimul spațiu al traseului.
boards-label-resource = Traseu: { $of }
boards-track-gold = Aur
boards-track-population = Populație
boards-track-food = Hrană
boards-track-ceramics = Ceramică
boards-track-gears = Roți dințate
boards-picture-map-of = Tabla cu harta, { $colour }, fața B
boards-picture-resources-b = Tabla cu resurse, fața B
boards-fact-map-side = Cu ce față a tablelor cu harta joci?
boards-fact-map-side-A = A: lacul
boards-fact-map-side-B = B: râurile
boards-fact-resources-side = Cu ce față a tablelor cu resurse joci?
boards-fact-resources-side-A = A
boards-fact-resources-side-B = B
boards-fact-mundo = Am extensia Mundo
boards-fact-rings = Cărțile de monumente
boards-fact-rings-hint = Câte inele (puncte de victorie) are fiecare carte? Fiecare număr se salvează pe măsură ce îl scrii. Un număr lăsat necompletat devine necesar abia când monumentul acela se află pe o hartă.
boards-left = Mai lipsesc:
boards-nothing-left = Nu mai lipsește nimic: fotografiile jocurilor tale pot fi punctate.
boards-pieces = { $n ->
    [0] Niciun monument nu e recunoscut încă după aspect. Numește unul la o masă și va fi recunoscut de atunci încolo.
    [one] Un monument e recunoscut după aspect. Numește-le pe celelalte la o masă și vor fi recunoscute de atunci încolo.
    [few] { $n } monumente sunt recunoscute după aspect. Numește-le pe celelalte la o masă și vor fi recunoscute de atunci încolo.
   *[other] { $n } de monumente sunt recunoscute după aspect. Numește-le pe celelalte la o masă și vor fi recunoscute de atunci încolo.
}
boards-shapes = Cartonașe de clădire
boards-shapes-about = { $n ->
    [0] Desenează ce căsuțe acoperă câte un cartonaș din fiecare teanc. Când toate formele sunt cunoscute, cartonașele alăturate se deosebesc mult mai bine între ele.
    [one] Se cunoaște o formă. Desenează-le și pe celelalte: un cartonaș a cărui formă nu se cunoaște nu este citit corect aproape niciodată.
    [few] Se cunosc { $n } forme.
   *[other] Se cunosc { $n } de forme.
}
boards-shapes-begun = Ai început să desenezi: tot ce ai făcut până acum este salvat.
boards-shapes-draw = Desenează formele
boards-shapes-change = Modifică formele
boards-shapes-photo = Fotografiază cartonașele
boards-shapes-photo-hint = Util, dar nu obligatoriu: așază alăturat câte un cartonaș din fiecare formă și fotografiază-le, ca să le ai în față când desenezi.
boards-shapes-prompt = Forma { $n }: atinge căsuțele pe care le acoperă cartonașul. Nu contează cum este rotit.
boards-shapes-prompt-photo = Forma { $n }: atinge cartonașul în fotografie, apoi desenează căsuțele pe care le acoperă.
boards-shapes-list = Forme
boards-shapes-one = Forma { $n }
boards-shapes-add = Altă formă
boards-shapes-remove = Șterge forma { $n }
boards-shapes-grid = Căsuțele formei { $n }
boards-shapes-square = Rândul { $row }, coloana { $col }
boards-shapes-picture-label = Fotografia cartonașelor. Săgețile o mută, plus și minus apropie și depărtează, Enter marchează mijlocul.
boards-shapes-drop-about = Tot ce ai desenat de când ai început se pierde. Formele cunoscute înainte rămân.
boards-shapes-kept = { $n ->
    [0] Nu se mai cunoaște nicio formă de cartonaș de clădire.
    [one] Gata: se cunoaște o formă de cartonaș de clădire.
    [few] Gata: se cunosc { $n } forme de cartonașe de clădire.
   *[other] Gata: se cunosc { $n } de forme de cartonașe de clădire.
}
boards-to-photo = Punctează o masă
boards-tap-rings = Populație: atinge fiecare spațiu care are un inel, de două ori unde are două.
boards-label-rings = Inelele de pe traseul populației
boards-tap-symbols = { $of }: atinge fiecare spațiu care are simbolul populației. Poți să sari peste asta.
boards-label-symbols = Simboluri de populație: { $of } (opțional)
boards-spaces-done = Acestea au fost toate
pieces-offer = { $names }: să { $n ->
    [one] fie recunoscut
   *[other] fie recunoscute
} de acum după aspect pe acest server?
pieces-keep = Ține minte
pieces-kept = { $names }: de acum { $n ->
    [one] e recunoscut
   *[other] sunt recunoscute
} după aspect.
boards-no-picture = Fotografia tablei nu a putut fi încărcată.
