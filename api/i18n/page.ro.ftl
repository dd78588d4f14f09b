language = Limba
skip-to-main = Sari la conținut
about = Fotografiază masa la sfârșitul jocului și află punctele fiecărui jucător, fiecare punct explicat pe fotografie.
about-carcassonne = Fotografiază masa de Carcassonne la sfârșitul jocului și află punctele fiecărui jucător, fiecare punct explicat pe fotografie.
games-here = Jocuri citite aici
title = Cine a câștigat?
close = Închide
cancel = Renunță
needs-script = Această pagină are nevoie de JavaScript.

take-photo = Fă o fotografie
choose-photos = Alege fotografii
drop-or-paste = Poți și să tragi fotografii oriunde pe această pagină sau să le lipești.
chosen-photos = Fotografii alese
several-photos = Dacă o fotografie nu arată toată masa, adaugă altele care se suprapun.
read = { $n ->
    [one] Numără punctele
    [few] Numără punctele din { $n } fotografii
   *[other] Numără punctele din { $n } de fotografii
}
photo-number = Fotografia { $n }
remove-photo = Elimină fotografia { $n }
no-photo = Acest fișier nu este o imagine.
try-example = Nu ai un joc la îndemână? Încearcă o fotografie de exemplu
try-question = Sau o fotografie care lasă o întrebare deschisă
uploading = Se trimite …
uploaded = { $share } trimis
uploaded-all = Trimis. Fotografia se citește …
server-full = Serverul nu are loc acum. Pagina așteaptă și continuă singură …
my-games = Jocurile tale
my-games-hint = Camera ține scorul acestor jocuri. Atinge unul ca să continui.
my-readings = Citirile tale
my-readings-hint = Lista se păstrează doar pe acest dispozitiv. Eliminarea unui rând nu șterge nimic de pe server.
play-again = Încă un joc
won = a câștigat:
forget = Elimină din listă
not-read-yet = încă necitită
tips = Pentru o citire bună
tip-whole = Toată tabla în imagine, cu puțină masă în jur.
tip-above = Mai degrabă de sus decât din lateral.
tip-light = Lumină puternică și uniformă, fără mâini deasupra tablei.
privacy = Locul și momentul fotografierii se elimină înainte de păstrare. Fotografia se șterge după câteva săptămâni sau imediat, la cerere.

a-reading = O citire
a-board = O tablă
reading-photo = Se citește fotografia
reading-starts = Începe imediat.
reading-opens = Se deschide citirea …
queued = { $n ->
    [one] O altă fotografie este înaintea ta.
    [few] { $n } alte fotografii sunt înaintea ta.
   *[other] { $n } de alte fotografii sunt înaintea ta.
}
queued-next = Urmează a ta.
scoring = Se calculează
stage-decode = Se deschide fotografia
stage-lattice = Se caută cartonașele
stage-track = Se caută tabela de scor
stage-tiles = Se recunosc cartonașele
stage-legal = Se verifică dacă se potrivesc
stage-meeples = Se caută meepleșii
stage-score = Se numără punctele
stage-game = Se recunoaște jocul
stage-opening = { stage-decode }
stage-board = Se caută și se citește tabla
stage-counting = { stage-score }
that-failed = Ceva nu a mers bine
failed-photo = Fotografia care nu a putut fi citită
another-photo = Încearcă altă fotografie
retake = Fotografiază din nou
retake-cut = Tabla e tăiată sau abia se vede { $sides }: fotografiaz-o de sus și de mai departe.
retake-left = în stânga
retake-right = în dreapta
retake-top = sus
retake-bottom = jos
advice-PhotoError = Deschide imaginea și salveaz-o din nou ca JPEG sau fotografiază încă o dată.
advice-too_large = Salveaz-o mai mică și trimite-o din nou.
advice-truncated_image = Trimite-o din nou și rămâi pe pagină până se trimite toată.
advice-ReadingError = Fotografiază toată tabla de sus, cu puțină masă în jur, la lumină bună și uniformă.
advice-photos_do_not_join = Fotografiile trebuie să se suprapună cu câteva cartonașe: cel mai bine fă una de mai departe, care arată tot.
advice-photos_out_of_order = Trimite-le în ordinea în care au fost făcute, fiecare cu toată tabla.
advice-InputError = Verifică ce ai introdus și încearcă din nou.
advice-CorrectionError = Nu s-a schimbat nimic: privește din nou tabla și alege încă o dată.
advice-EnrolmentError = Verifică fotografia și datele introduse și încearcă din nou.
advice-cannot_write_enrolment = Întreabă administratorul acestui server.
advice-game_not_enrolled = Arată mai întâi acestui server tabla goală, de pe pagina de pornire.
advice-models_missing = Roagă administratorul acestui server să instaleze din nou Wondertally.
advice-unsupported_game = Alege alt joc.
advice-QuestionError = Reîncarcă pagina și alege din nou.
advice-BatchError = Corectează lista și salveaz-o din nou.
advice-ScoringError = Corectează și încearcă din nou.
advice-bad_answer = Reîncarcă pagina și încearcă din nou.
missing-page = Pagina nu există
missing-page-why = Poate că adresa e scrisă greșit sau linkul a fost tăiat pe drum.
missing-reading = Citirea aceasta nu mai există
missing-reading-why = A fost ștearsă sau a expirat: citirile se păstrează doar o vreme. Dacă ai primit linkul de la cineva, cere-l din nou – poate a fost tăiat.
missing-event = Turneul acesta nu mai există
missing-event-why = A fost șters sau linkul nu e complet. Cere linkul de la organizatori.
missing-game = Jocul acesta nu mai există
missing-game-why = A fost șters sau a expirat ori linkul nu e complet.
to-first-page = Pagina principală
links = Alte pagini
help-title = Ajutor
help-about = De la sfârșitul jocului la puncte.
help-photo = Fotografia
help-photo-text = Fotografiază toată tabla de sus, cu puțină masă în jur, la lumină bună și uniformă. Lasă toate piesele unde sunt. Dacă nu încape tot, fă mai multe fotografii care se suprapun și trimite-le împreună.
help-check = Verificare
help-check-text = Punctele apar pe fotografie. Dacă fotografia lasă îndoieli, pagina te întreabă, începând cu ce contează cel mai mult. Restul îl corectezi tu: apasă pe „Corectează”, apoi pe greșeala din imagine. Orice corectură poate fi anulată.
help-game = Punctarea finală și tabela de scor
help-game-text = Fotografia arată tabla de la sfârșitul jocului. Punctarea finală numără meeple-ii rămași acolo: câmpurile, apoi drumurile, orașele și mănăstirile care nu au fost finalizate. Punctele din timpul jocului se află pe tabela de scor. Dacă tabela nu se vede în imagine, scrie-le la „Jucători”.
help-camera-text = Încă jucați? Pune un telefon pe un suport, ca să vadă toată masa: face o fotografie după fiecare mutare și ține scorul. Poți fotografia și cu mâna. Carnetul de scor numără fără fotografii.
help-event = Mai multe mese
help-event-text = Pentru un turneu sau o seară de club creezi un turneu: fiecare masă e fotografiată, îndoielile se lămuresc la un singur birou, iar clasamentul se actualizează automat. Cu un cod QR, jucătorii își trimit singuri masa, iar spectatorii văd clasamentul.
help-photos-kept = Fotografiile tale
no-board = Acest link nu conține nicio tablă.

picture = Tabla
picture-hint = Imaginea tablei. Săgețile o mută, plus și minus o măresc și o micșorează, 0 o arată întreagă. Tot ce este în ea este enumerat alături.
drawn-hint = Tabla ca desen. Săgețile îl mută, plus și minus îl măresc și îl micșorează, 0 îl arată întreg.
sights = Vedere
sight-photo = Fotografie
sight-drawn = Desen
sight-both = Fotografie și desen
zoom-in = Mărește
zoom-out = Micșorează
zoom-fit = Arată tot
photos = Fotografiile acestei mese
photo-of = Fotografia { $n } din { $most }
photo-before = Fotografia anterioară
photo-next = Fotografia următoare
tools = Unelte
undo = Înapoi
redo = Înainte
reset = Resetează
reset-sure = Toate corecturile dispar și rămân punctele citite din fotografie. Și resetarea poate fi anulată.
reset-now = Resetează acum
reset-keep = Păstrează corecturile
correct = Corectează
table = Jucători
share = Partajează
tap-to-correct = Atinge ce este greșit: un cartonaș, o piesă sau o căsuță goală.
result = Rezultat
final-scoring = Punctarea finală, fără tabela de scor
where-points-come-from = Cum se adună punctele
all-features = Toate drumurile, orașele, mănăstirile și câmpurile
rows-and-columns = Rânduri și coloane
all-squares = Toate căsuțele
player = Jucător
on-track = Tabelă de scor
on-board = Punctare finală
points = Puncte
total = Total
no-entries = Niciun punct de pe tablă.
sure = Exact corect, cu o probabilitate de { $share }.
unsure = Un cartonaș necunoscut poate schimba punctele.
unsure-unsaid = Punctele depind de câți au jucat, de câte cartonașe au fost în joc sau de regulile altor extensii cu care s-a jucat.
tied = Egalitate: { $who }
nothing-doubtful = Nimic nu pare nesigur.
track-missing = Punctele de pe tabela de scor lipsesc încă, așa că nu se știe cine a câștigat.
track-unsure = Tabela de scor lasă încă puncte nelămurite, așa că nu se știe cine a câștigat.
no-pieces = Pe această tablă nu stă niciun meeple, așa că nimeni nu primește puncte.
add-a-photo = Adaugă o fotografie
say-it = Precizează
doubtful = Ceva este nesigur aici.
points-changed = { $player } { $before } → { $now }
rescored = Numărat din nou: { $points }.
added-up = Adunat: { $points }.
problems = Încălcări ale regulilor
warnings = { $n ->
    [one] Un avertisment despre această masă
    [few] { $n } avertismente despre această masă
   *[other] { $n } de avertismente despre această masă
}

kinds-district = Cartonașe de clădire
kinds-natural_resource = Resurse naturale
kinds-monument = Monumente
kinds-green = Zone verzi
size = { $n ->
    [one] { $n } cartonaș
    [few] { $n } cartonașe
   *[other] { $n } de cartonașe
}
tiles = { $n ->
    [one] { $n } cartonaș
    [few] { $n } cartonașe
   *[other] { $n } de cartonașe
}
pieces = { $n ->
    [one] { $n } piesă
    [few] { $n } piese
   *[other] { $n } de piese
}
complete = finalizat
open = nefinalizat
nobody = nimeni
nobody-stands = Aici nu este nicio piesă.
who-stands = Piesele de aici
feature-picture = Imagine de tipărit
feature-link = Link către aceasta
link-to = Link către { $feature }
feature-gone = Nu există { $feature } pe această tablă: poate s-a corectat între timp ceva.
its-squares = Căsuțele
squares-in-order = Căsuțele, numerotate
mark-at = { $what }: { $square }
open-at = Deschis spre { $side } la { $square }
touches-complete = Atinge orașul finalizat { $city }
touches-open = Atinge orașul nefinalizat { $city }
lines-row = Rânduri
lines-column = Coloane
line-row = Rândul { $index }
line-column = Coloana { $index }
run-row = coloanele { $first }–{ $last }
run-column = rândurile { $first }–{ $last }
place = { $what }, { $where }
side-north = nord
side-east = est
side-south = sud
side-west = vest
side-north-east = nord-est
side-north-west = nord-vest
side-south-east = sud-est
side-south-west = sud-vest
in-doubt = nesigur
set-by-person = corectat manual
empty = gol

questions = { $n ->
    [one] Un lucru este nesigur. Ne poți ajuta?
    [few] { $n } lucruri sunt nesigure. Ne poți ajuta?
   *[other] { $n } de lucruri sunt nesigure. Ne poți ajuta?
}
questions-left-open = { $n ->
    [one] O întrebare este încă deschisă.
    [few] { $n } întrebări sunt încă deschise.
   *[other] { $n } de întrebări sunt încă deschise.
}
questions-left = { $n ->
    [one] ultima întrebare
    [few] { $n } întrebări
   *[other] { $n } de întrebări
}
answer-them = Arată-mi
ask-again = Întreabă din nou
enlarge = Mărește
in-the-photo = În fotografie
as-read = cum s-a citit
not-sure = Nu știu sigur
changes-nothing = aceleași puncte
asked-of-all = Răspunsul este pentru toate piesele marcate.
crop = Fotografia la { $square }

which-tile = Ce cartonaș este aici?
turn-left = Rotește la stânga
turn-right = Rotește la dreapta
unknown-tile-lies = Un cartonaș necunoscut
no-tile-yet = Alege un cartonaș
no-tile-fits = Niciun cartonaș nu se potrivește cu ce este în jur.
all-tiles = Arată toate cartonașele
tiles-with = Doar cartonașe cu
tiles-with-road = drum
tiles-with-city = oraș
tiles-with-coat = blazon
tiles-with-monastery = mănăstire
tiles-none = Niciun cartonaș nu le are pe toate.
tiles-of-other-boxes = Cartonașe din alte extensii
tiles-of-box = Extensia
tiles-usual = cele obișnuite
wonder-here = Aici începe o minune
set-wonder = Pune-o aici
set-tile = Schimbă în acest cartonaș
add-tile = Adaugă acest cartonaș
right-as-it-is = Este corect așa
no-tile = Niciun cartonaș aici
no-wonder = Nicio minune aici
unknown-tile = Un cartonaș, dar niciunul dintre acestea
pieces-here = Piese pe el
add-piece = Adaugă o piesă

stands-on = Stă pe
colour = Culoare
piece = Piesă
pose = Poziție
set-piece = Schimbă piesa
no-piece = Nicio piesă aici
elsewhere = Pe altă căsuță
pick-place = Atinge unde stă.
piece-on = O piesă la { $square }
new-piece-on = O piesă nouă la { $square }

players = Jucători
track-hint = Punctele fiecărui jucător pe tabela de scor, din tot jocul, înainte de punctarea finală.
name-of = Numele jucătorului { $colour }
track-of = Tabela de scor: { $colour }
track-is = { $colour }: { $points ->
    [one] { $points } punct
    [few] { $points } puncte
   *[other] { $points } de puncte
} pe tabela de scor
track-other = Alte puncte
no-more-tiles = Aici nu mai era niciun cartonaș
base-games-lie-here = Da, { $games } jocuri de bază
track-points = Punctele de pe tabela de scor
add-up = Adună
one-less = { $player }: un punct mai puțin
one-more = { $player }: un punct în plus
points-negative = Punctele nu pot fi sub 0.
points-no-number = Introdu un număr întreg, de exemplu 64.
points-too-many = Cel mult 9999 de puncte.
nothing-changed = Nu s-a schimbat nimic.
track-empty = Introdu punctele pe care le avea fiecare pe tabela de scor.
track-in-photo = Tabela de scor este în fotografie
track-not-found = Tabela de scor nu a fost recunoscută în fotografie. Introdu punctele sau adaugă o fotografie doar cu tabela de scor, făcută drept de sus.
track-read = Așa s-a citit de pe tabela de scor. Schimbă ce nu e corect.
photo-score = Ține scorul unui joc
photo-score-offer = Încă jucați? Lasă o cameră să țină scorul
keep-score = Carnet de scor
pad-offer = Încă jucați? Numără tu punctele
pad-about = Atinge un jucător, apoi punctele. Totul rămâne pe acest dispozitiv.
pad-offline = Merge și fără rețea.
pad-players = Cine joacă?
pad-start = Începe
pad-gets = { $player } primește
pad-told = { $player }: { $by }, acum { $points }
pad-over = S-a terminat jocul?
pad-over-about = Fotografiază masa la sfârșitul jocului: aceste puncte se trimit împreună cu fotografia și se adaugă doar punctarea finală.
pad-new = Joc nou
pad-new-sure = Toate punctele și numele de pe această pagină se șterg.
pad-new-now = Începe din nou
pad-new-stay = Continuă jocul
take-kept = Preia punctele ținute pe acest dispozitiv
starts-anew = Atunci toate fotografiile se citesc din nou. Numele și punctele de pe tabela de scor rămân, dar corecturile tale de pe tablă nu.
add-track-photo = Adaugă o fotografie a tabelei de scor
another-player = Alt jucător
wonder-owners = Cui aparțin minunile
game = Jocul
which-rules = Reguli
box-copies = Cutiile de pe masă
box-copies-hint = Scrie câte exemplare ale unei cutii ai amestecat, 0 pentru niciunul. Câmpurile goale se deduc din cartonașe.
box-rules = Regulile altor extensii
box-rules-hint = Regulile minunilor adaugă cartonașele altor extensii, dar fără regulile lor.
box-rules-unsaid = neprecizat
box-rules-on = cu regulile ei
box-rules-off = doar cartonașele, fără regulile ei
player-count = Numărul de jucători
player-count-hint = Se numără și cine nu mai are nicio piesă pe tablă.
holdings = Aur, rege și alte puncte
holdings-hint = Scrie 1 la cine are regele sau baronul tâlhar. Alte puncte sunt cele din reguli care nu se socotesc aici.
tokens = Mărfuri
tokens-hint = Câte jetoane de marfă a luat fiecare.
tokens-of = Mărfurile pentru { $colour }
tiles-in-play = Cartonașe în joc
save = Salvează

your-set = Cartonașele tale
your-set-hint = Când totul este corect aici, poți memora cartonașele tale pe acest server. După aceea le recunoaște mai sigur.
teach-set = Memorează aceste cartonașe
teach-about = Serverul păstrează imagini mici ale acestor cartonașe, cu numele pe care le au aici acum, și le folosește la citirea oricărei fotografii de acum încolo.
teach-takes = { $n ->
    [one] Se memorează un cartonaș.
    [few] Se memorează { $n } cartonașe.
   *[other] Se memorează { $n } de cartonașe.
}
teach-kinds = { $n ->
    [one] Sunt toate la fel.
    [few] Sunt de { $n } feluri.
   *[other] Sunt de { $n } de feluri.
}
teach-wonders = Printre ele: { $wonders }.
teach-left-out = { $n ->
    [one] O căsuță este lăsată deoparte, fiind necunoscută, tăiată sau acoperită.
    [few] { $n } căsuțe sunt lăsate deoparte, fiind necunoscute, tăiate sau acoperite.
   *[other] { $n } de căsuțe sunt lăsate deoparte, fiind necunoscute, tăiate sau acoperite.
}
teach-nothing = Aici nu este niciun cartonaș care să poată fi memorat.
teach-doubtful = { $n ->
    [one] Un cartonaș este încă nesigur. Verifică-l mai întâi, căci și unul greșit ar fi memorat.
    [few] { $n } cartonașe sunt încă nesigure. Verifică-le mai întâi, căci și cele greșite ar fi memorate.
   *[other] { $n } de cartonașe sunt încă nesigure. Verifică-le mai întâi, căci și cele greșite ar fi memorate.
}
teach-undo = Poți anula asta oricând.
teach-local-only = De aici nu poți memora nimic pe acest server, fiindcă asta schimbă citirile tuturor. Deschide pagina pe calculatorul pe care rulează serverul (ca http://localhost) asociază acolo acest dispozitiv („Deschide pe telefon”) sau cere-i administratorului o cheie API.
teach-key-wanted = Fără o cheie API nu poți memora nimic pe acest server, fiindcă asta schimbă citirile tuturor. Administratorul lui îți poate da una.
api-key = Cheie API
key-about = Acest server cere o cheie API. Administratorul lui îți poate da una.
enter-key = Introdu o cheie API
remember-key = Ține-o minte pe acest dispozitiv
use-key = Folosește această cheie
key-kept = Acest browser păstrează o cheie API pentru acest server.
forget-key = Elimină cheia
set-name = Un nume pentru aceste cartonașe
learnt = { $n ->
    [one] Memorat: { $name }, un cartonaș.
    [few] Memorat: { $name }, { $n } cartonașe.
   *[other] Memorat: { $name }, { $n } de cartonașe.
}
read-again = Citește din nou fotografia
read-again-hint = Citirile încheiate nu se schimbă. Dacă aceeași fotografie se citește din nou, rezultă o citire nouă, fără corecturile de aici.
taught = Memorate pe acest server
taught-nothing = Încă nimic.
taught-about = { $n ->
    [one] un cartonaș, din { $source }, { $made }
    [few] { $n } cartonașe, din { $source }, { $made }
   *[other] { $n } de cartonașe, din { $source }, { $made }
}
forget-it = Elimină
forget-set = Elimină { $name }
forgotten = Eliminat: { $name }.
is-forgotten = Eliminat
bring-back = Recuperează
bring-back-set = Recuperează { $name }
brought-back = { $name } este din nou memorat.

teach-copy = Cartonașul meu arată altfel
teach-wonder = { $wonder }: exemplarul tău
wonder-mode = Ce vrei să schimbi?
wonder-mode-edges = Marginile
wonder-mode-joins = Legăturile
wonder-hint-edges = Atinge o margine ca să alegi între câmp, drum și oraș.
wonder-hint-joins = Ca să legi două capete de drum sau de oraș, trage de la unul la altul sau atinge-le pe amândouă. Încă o dată le desparte. Dacă a doua atingere este pe o căsuță numerotată, ea se adaugă la drum sau la oraș.
wonder-meaning = În cuvinte
wonder-undo = Anulează ultima schimbare
wonder-redo = Refă schimbarea
wonder-undone = Ultima schimbare a fost anulată.
wonder-redone = Schimbarea a fost refăcută.
wonder-save = Păstrează-l așa
wonder-use-here = Păstrează-l în acest browser
wonder-kept-here = În schimb, acest browser poate păstra exemplarul tău și îl poate trimite cu fiecare fotografie a ta. Poți și descărca fișierul.
wonder-no-end = La această margine este doar câmp: nu e nimic de legat.
wonder-tap-other = Atinge acum celălalt capăt sau o căsuță numerotată.
wonder-joined = Legate.
wonder-parted = Despărțite.
wonder-not-joined = Se pot lega doar două capete de drum sau două capete de oraș.
wonder-square-stays = Această căsuță trebuie să rămână.
wonder-end = Căsuța { $square }, marginea { $side ->
    [N] de sus
    [E] din dreapta
    [S] de jos
   *[W] din stânga
}: { $kind ->
    [field] câmp
    [road] drum
   *[city] oraș
}
wonder-square = Căsuța { $n }
wonder-in-the-photo = Căsuțele minunii, decupate din fotografie
wonder-wrong = Așa nu poate fi corect încă
wonder-drop = Elimină
wonder-lies-on = Se află pe căsuțele
wonder-walled = Se află chiar lângă minune
wonder-into-wonder = Se termină la minune
wonder-into-monastery = Se termină la mănăstire
wonder-closed = Se închide în cerc, cu un câmp înăuntru
wonder-likelier = Mai uită-te o dată: acest contur se potrivește mai degrabă cu { $wonder }.
wonder-coats = Blazoane
wonder-coats-unknown = necunoscut
wonder-places = Minunea însăși și mănăstirea
wonder-stands-on = Minunea stă pe căsuțele
wonder-marker-on = Marcatorul stă pe
wonder-monastery-on = Mănăstirea stă pe
wonder-no-monastery = nicio mănăstire
wonder-taken = Acesta este exemplarul din fișier.
wonder-kept = Păstrat: de acum { $wonder } se citește și se punctează așa.
wonder-kept-print = S-a păstrat din această fotografie și aspectul căsuțelor ei.
wonder-kept-without-print = Aspectul căsuțelor ei nu s-a păstrat: fotografia nu le arată pe toate sau a fost trimisă prea demult.
wonder-kept-in-browser = Păstrat în acest browser: se trimite cu fiecare fotografie pe care o trimiți de aici.
wonder-reading-corrected = Punctele acestei citiri au fost numărate din nou cu acest exemplar.
wonder-take-back = Anulează memorarea
wonder-take-back-of = { $wonder }: anulează memorarea
wonder-taken-back = Anulat: se folosește din nou exemplarul de dinainte.
wonder-download = Descarcă fișierul
wonder-upload = Deschide un fișier
wonder-leave = Modificările tale la această minune nu sunt încă salvate.
leave-changes = Renunți la modificări?
leave-now = Renunță la ele
go-on-editing = Continuă editarea
error-where = { $place }: { $error }
place-line = Linia { $line }, coloana { $column }
place-key = „{ $key }”
place-edge = Marginea { $edge }
place-given = „{ $given }”
place-at = În punctul [{ $x }, { $y }]
wonders-of-mine = Minunile tale
wonders-hint = Minunile nu sunt tipărite toate la fel. Arată acestui server cum sunt ale tale.
wonders-open = Vezi minunile
wonders-about = Fotografiază o minune, verifică rezultatul și păstreaz-o. De atunci minunea se citește și se punctează așa cum este tipărită.
which-wonder = Ce minune este?
wonder-photo = Fotografiaz-o
wonder-photo-read = Fotografia se citește …
wonder-source-shipped = așa cum credem că este tipărită
wonder-source-taught = așa cum a fost memorată aici
wonder-source-named = dintr-un fișier cu care a fost pornit acest server
wonder-source-browser = păstrată în acest browser
wonder-look = Vezi
wonder-look-at = Vezi { $wonder }
wonder-city = Acest oraș acoperă { $n ->
    [one] o căsuță
    [2] două căsuțe
    [3] trei căsuțe
    [4] patru căsuțe
    [few] { $n } căsuțe
   *[other] { $n } de căsuțe
} ({ $squares }) și atinge { $ends ->
    [0] nicio margine
    [one] o margine
    [2] două margini
    [3] trei margini
    [4] patru margini
    [few] { $ends } margini
   *[other] { $ends } de margini
}.
wonder-city-coats-unknown = Nu se știe dacă are blazon.
wonder-city-coats = { $n ->
    [one] Are un blazon.
    [few] Are { $n } blazoane.
   *[other] Are { $n } de blazoane.
}
wonder-city-walled = Se află chiar lângă minune: acolo câmpul este tăiat în două.
wonder-road = Acest drum { $ends ->
    [0] nu are niciun capăt deschis
    [one] are un capăt deschis
    [2] are două capete deschise
    [3] are trei capete deschise
    [4] are patru capete deschise
    [few] are { $ends } capete deschise
   *[other] are { $ends } de capete deschise
} și se află pe { $n ->
    [one] căsuța { $squares }
   *[other] căsuțele { $squares }
}.
wonder-road-into-wonder = Se termină la minune.
wonder-road-into-monastery = Se termină la mănăstire.
wonder-road-into-wonder-monastery = Se termină la minune și la mănăstire.
wonder-road-into-nothing = Duce doar de la o margine la alta.
wonder-road-closed = Se închide în cerc, cu un câmp înăuntru.
wonder-field = Acest câmp se află pe { $n ->
    [one] căsuța { $squares }
   *[other] căsuțele { $squares }
} și { $cities ->
    [0] nu atinge niciun oraș
    [one] atinge un oraș
    [2] atinge două orașe
    [few] atinge { $cities } orașe
   *[other] atinge { $cities } de orașe
}.
wonder-rules-road_squares = Conform regulilor, această minune are { $there ->
    [one] un drum, pe { $stated } dintre căsuțele ei
    [few] { $there } drumuri, pe { $stated } dintre căsuțele ei
   *[other] { $there } de drumuri, pe { $stated } dintre căsuțele ei
}. Aici { $here ->
    [0] nu este niciunul
    [one] este unul, pe { $found }
   *[other] sunt { $here }, pe { $found }
}.
wonder-rules-road_ends = Capete deschise ale drumurilor ei conform regulilor: { $stated }; aici: { $found }.
wonder-rules-city_squares = Conform regulilor, această minune are { $there ->
    [one] un oraș, pe { $stated } dintre căsuțele ei
    [few] { $there } orașe, pe { $stated } dintre căsuțele ei
   *[other] { $there } de orașe, pe { $stated } dintre căsuțele ei
}. Aici { $here ->
    [0] nu este niciunul
    [one] este unul, pe { $found }
   *[other] sunt { $here }, pe { $found }
}.
wonder-rules-monasteries = { $most ->
    [0] Conform regulilor, pe această minune nu stă nicio mănăstire.
   *[other] Conform regulilor, pe această minune stă o mănăstire.
}
wonder-rules-fields = Câmpurile acestei minuni conform regulilor: { $stated }; aici: { $found }. Poate fi corect: nu toate cartonașele sunt tăiate la fel.
wonder-problem-cannot_be_drawn = Așa, drumurile și orașele ar trebui să se încrucișeze sau nu ar ajunge de la o căsuță la alta.
wonder-problem-no_way_out = Un drum sau un oraș nu atinge nicio margine: atinge o margine pentru el sau elimină-l.

link = Link către această citire
board-link = Tabla într-un link
board-link-hint = Conține toată tabla. Niciun server nu o păstrează, iar fotografia nu este inclusă.
copy = Copiază
copied = Copiat.
share-with = Partajează …
others-may-correct = Alții pot corecta
download = Descarcă
download-pdf = O pagină de tipărit (PDF)
download-picture = Fotografia cu puncte (JPEG)
share-picture = Partajează fotografia cu puncte
bg-stats = Deschide în BG Stats
bg-stats-hint = Numele și punctele ajung la acea aplicație, care întreabă înainte să le păstreze.
share-again = Imaginea este gata: atinge din nou pentru a o partaja.
download-csv = Tabel (CSV)
download-json = Totul (JSON)
kept-until = Se păstrează până la { $time }.
delete = Șterge
delete-sure = Fotografia și citirea se șterg imediat, pentru toți.
delete-now = Șterge acum
keep = Păstrează
error-offline = Serverul nu poate fi contactat. Ești online?
error-bad_answer = Serverul a trimis un răspuns pe care pagina nu îl înțelege.

piece-disc = disc
mark-coat-of-arms = Blazon
mark-inn = Han
mark-cathedral = Catedrală
mark-pig-herd = Turmă de porci
rules-C3 = Azi: un câmp aduce 3 pentru fiecare oraș finalizat
rules-C3-2023 = Alhambra aduce 4 de fiecare țăran (înainte de septembrie 2024), în rest ca azi
rules-C3-original = Minunile punctează chiar din tura în care sunt puse (primele lor reguli), în rest ca înainte de 2024
rules-C1-third = Cartonașe vechi, fără minuni: un câmp aduce 3 pentru fiecare oraș finalizat
rules-C1-second = În jurul anului 2003: nimeni nu punctează un oraș pentru două câmpuri; un oraș din două cartonașe aduce 2
rules-C1-first = În jurul anului 2000: un oraș aduce 4 celor mai mulți țărani din jur; un oraș din două cartonașe aduce 2

an-event = Un turneu
tables-of-event = Mese
tables-find = Jucător sau masă
tables-state = Arată
tables-sort = Ordinea
tables-all = toate
tables-open = de verificat
tables-shown = { $n } din { $all }
roster = Lista meselor
roster-hint = Un fișier CSV arată cine joacă la ce masă în fiecare rundă: coloanele runda și masa, iar jucătorii după culoare sau ca jucător 1, jucător 2 și așa mai departe. Fotografiile unei mese sunt apoi ale lor.
roster-file = Fișier CSV
roster-saved = { $tables ->
    [0] Nu mai există nicio listă a meselor.
   *[other] Lista meselor este salvată. Runde: { $rounds }, mese: { $tables }, jucători: { $players }.
}
roster-heading = runda,masa,jucător 1,jucător 2
no-photo-yet = încă fără fotografie
all-rounds = toate rundele
standings-of = Clasamentul pentru
tables-awaited = Mese fără fotografie
paired = Aici joacă: { $players }
sorted-by-urgency = întâi cele urgente
sorted-by-place = după rundă și masă
sorted-by-points = după puncte
standings = Clasament
round = runda { $round }
table-named = masa { $table }
place-of = Loc
wins = Victorii
state-failed = nu se poate citi
state-doubtful = nesigur
state-sure = sigur
state-waiting = în așteptare
state-unscorable = fără punctaj
state-checked = verificat
somebody = fără nume
somebody-else = Altcineva
conflict-by = { $who } a fost mai rapid ({ $what }). Acum totul e la zi: mai uită-te o dată, apoi continuă.
changed-tile = cartonașul de la { $square }
changed-tiles = cartonașe
changed-piece = piesa de la { $square }
changed-pieces = piese
changed-table = datele jocului
decided-by = { $who }, { $time }
without-track = Fără tabela de scor.
confirm = Este corect
unscorable = Nu se poate puncta
why = De ce
open-reading = Deschide citirea
open-photo = Fotografia { $n }: deschide la mărime completă
names-and-track = Numele și punctele de pe tabela de scor
told-typed = { $table }: nume și puncte salvate.
standings-open = Încă fără învingător, fiindcă lipsesc punctele de pe tabela de scor: { $tables }.
ranked-by = Clasament după { $order }.
ranked-by-label = Clasament după
rank-wins = victorii
rank-points = puncte
rank-share = partea din punctele mesei
print-results = Tipărește rezultatele
hand-in = Trimite masa ta
event-link-hand-in = Link pentru jucători, ca să-și trimită singuri masa
hand-in-hint = Arată codul sau tipărește-l: cine îl scanează poate adăuga o masă cu fotografii și nu poate schimba nimic altceva.
hand-in-code = Cod QR pentru jucători
hand-in-code-save = Salvează codul ca imagine
may-decide = Verifică mesele
token-of-event = Cheia turneului
who-are-you = Cine ești?
your-name = Numele tău, cum apare în istoric
history = Istoric
nothing-done = Încă nu s-a decis nimic.
keys = Scurtături de tastatură
key-next = Masa următoare
key-previous = Masa anterioară
key-answer = Alege răspunsul
act-checked = verificat
act-unscorable = fără punctaj
act-reopened = retras
act-corrected = corectat
act-reset = înapoi la ce s-a citit
act-undone = corectură retrasă
act-redone = corectură refăcută
act-shared = și alții pot corecta
act-unshared = corectează doar proprietarul
told-checked = { $table }: verificat.
told-answered = { $table }: răspuns dat, numărat din nou.
told-unscorable = { $table }: nu intră în clasament.
told-undone = { $table }: retras.
export-results = Rezultate (CSV)
export-standings = Clasament (CSV)
export-reports = Rapoarte (linii JSON)

events-of-mine = Turneele tale
events-hint = Mai multe mese, o singură listă: fotografiază fiecare masă, lămurește îndoielile, iar clasamentul se actualizează automat. Un turneu rămâne pe server până când este șters; lista aceasta se păstrează doar pe acest dispozitiv.
make-event = Creează un turneu
event-named = Numele turneului
event-link = Link pentru spectatori
event-link-check = Link pentru ajutoare, ca să verifice mesele și să adauge fotografii
event-link-hint = Cine îl are poate schimba și șterge totul aici. Păstrează-l și tu: fără el nu se poate schimba nimic de pe alt dispozitiv.
delete-event-sure = Turneul se șterge imediat, cu toate mesele, citirile și fotografiile, pentru toți.
no-tables = Încă nu sunt mese.
no-tables-add = Încă nu sunt mese. Adaug-o pe prima, cu fotografiile ei.
add-table = Adaugă o masă
add-photos = Adaugă fotografii
add-photos-hint = Se citesc împreună cu fotografiile lizibile ale acestei mese, deci toate trebuie să fie din același moment.
table-photos = Fotografiile mesei
table-each = Aceste fotografii arată mai multe mese
tables-found = Mese: { $n } ({ $names }). Fotografii: { $photos }.
table-pattern = Runda și masa în numele fișierelor
pattern-wrong = Un model conține {"{"}table{"}"} și poate conține {"{"}round{"}"}, {"{"}event{"}"} și {"{"}{"}"} pentru orice altceva.
sending-tables = { $name }: se trimit fotografiile ({ $n } din { $most }).
send-again = Trimite din nou
leave-out = Lasă deoparte
photos-too-many = { $n ->
    [one] Se citește o singură fotografie a unei mese.
    [few] Se citesc împreună cel mult { $n } fotografii ale unei mese.
   *[other] Se citesc împreună cel mult { $n } de fotografii ale unei mese.
}
round-is = Runda
table-is = Masa, ca număr sau nume
contest-is = Concursul
delete-table = Șterge masa
delete-table-sure = Masa se șterge imediat, cu citirea și fotografiile ei, pentru toți.
state-reading = se citește
act-added = fotografii adăugate
told-added = { $table }: se citește.
told-same = { $table }: are deja aceste fotografii.
told-deleted = { $table }: ștearsă.
same-picture = { $photo }: aceeași fotografie ca { $other }, care ține de altă masă.
without-names = Intră în clasament de îndată ce fiecare culoare de aici are un nume.

which-game = Care joc este?
recognise-game = Recunoaște automat
other-games = Încă nu pot fi citite aici
other-games-hint = Tablele goale ale acestor jocuri nu sunt încă memorate pe acest server. Administratorul lui fotografiază fiecare tablă o dată, goală, și o memorează cu această comandă:
show-a-board = Arată acestui server tabla ta goală
not-known = necunoscut
lies-there = Ce se află acolo
nothing-there = Acolo nu se află nimic.
won-by = A câștigat: { $who }
which-spot = Ce se află aici?
ask-spot = Ce se află aici?
set-spots = Schimbă
may-be-instead = { $spot }, poate și:
to-be-typed = { $n ->
    [one] Lipsește o valoare pe care nu o arată nicio fotografie. O poți completa.
    [few] Lipsesc { $n } valori pe care nu le arată nicio fotografie. Le poți completa.
   *[other] Lipsesc { $n } de valori pe care nu le arată nicio fotografie. Le poți completa.
}
all-typed = Poți completa ce nu arată nicio fotografie.
type-them = Completează
typed-title = Ce nu arată nicio fotografie
typed-of = Ce are { $player }?
typed-hint = Introdu numerele pe care le vezi. „Nimic altceva” pune restul de aici la zero.
typed-before = Înapoi
nothing-more = Nimic altceva
nobody-has-more = Nimeni nu mai are nimic
one-fewer = { $what }: cu unu mai puțin
one-further = { $what }: cu unu mai mult
who-plays-hint = Jucătorii și numele lor.
all-spots = Tot ce este pe masă
all-that-scores = Tot ce aduce puncte
tap-to-correct-spot = Atinge ce este greșit.
photos-aside = Fotografii în care nu s-a găsit nimic
unsure-spots = Ceva necunoscut poate schimba punctele.
pieces-there = Pe masă
pieces-new = Nou
whole-piece = Toată piesa ({ $n ->
    [one] { $n } căsuță
    [few] { $n } căsuțe
   *[other] { $n } de căsuțe
})
spots-square = Căsuțele hărților
spots-resource = Marcaje de resurse
spots-loan = Împrumuturi neachitate
spots-objective = Obiective publice
spots-solo_mode = { spot-solo_mode }
spots-solo_monuments = { spot-solo_monuments }
cell-loan = Împrumut neachitat
cell-resource = { $resource }

phone-open = Deschide pe telefon
phone-hint = Un telefon din aceeași rețea poate trimite fotografii, răspunde la întrebări și ține scorul.
phone-show = Arată codul
phone-scan = Scanează codul cu camera telefonului, care trebuie să fie în aceeași rețea. Dacă browserul avertizează despre certificat, continuă: l-a creat acest calculator.
phone-code = Codul QR pentru { $address }
phone-pair = Asociază un telefon
phone-pair-about = Un telefon care scanează acest cod poate memora exemplarele tale și corecta orice citire de pe acest server, până când îl elimini.
phone-count = { $n ->
    [0] Niciun telefon nu este asociat.
    [one] Un telefon este asociat.
    [few] { $n } telefoane sunt asociate.
   *[other] { $n } de telefoane sunt asociate.
}
phone-forget = Elimină toate telefoanele asociate
phone-plain = Pentru ca telefoanele să poată memora și corecta, pornește serverul cu „wondertally serve --lan”.
phone-paired = Acest dispozitiv poate acum memora și corecta aici.
link-only-here = Aceste linkuri se deschid doar pe acest calculator. Pornește serverul cu „wondertally serve --lan” ca să le trimiți altora.
