### Ce spune raportul, în română.
square = rândul { $row }, coloana { $col }

## Ce se află pe masă
kind-road = drum
kind-city = oraș
kind-field = câmp
kind-monastery = mănăstire
kind-garden = grădină
kind-wonder = minune
kind-river = râu
kind-inside = interiorul unei minuni
kinds-road = Drumuri
kinds-city = Orașe
kinds-monastery = Mănăstiri
kinds-garden = Grădini
kinds-wonder = Minuni
kinds-field = Câmpuri
side-N = nord
side-E = est
side-S = sud
side-W = vest
piece-meeple = meeple
piece-big = meeple mare
piece-abbot = abate
piece-builder = constructor
piece-pig = porc
piece-mayor = primar
piece-wagon = căruță
piece-barn = hambar
pose-standing = în picioare
pose-lying = culcat
pose-upside_down = cu capul în jos
pose-disc = disc
goods-wine = vin
goods-grain = grâne
goods-cloth = pânză
goods-chicken = găină
goods-gold = lingouri de aur
goods-king = regele
goods-baron = baronul tâlhar
goods-other = alte puncte
wonder-stonehenge = Stonehenge
wonder-notre-dame = Notre-Dame
wonder-circus-maximus = Circus Maximus
wonder-alhambra = Alhambra
wonder-abu-simbel = Abu Simbel
wonder-tikal = Tikal
wonder-angkor-wat = Angkor Wat
wonder-terracotta-army = Armata de Teracotă
colour-red = roșu
colour-blue = albastru
colour-green = verde
colour-yellow = galben
colour-black = negru
colour-pink = roz
colour-purple = mov
colour-white = alb
colour-grey = gri
colour-orange = portocaliu
colour-brown = maro
colour-wood = lemn
colour-clear = transparent

## Întrebări
ask-tile = Ce cartonaș este acesta?
ask-wonder = Pare să fie { $wonder }: așa este?
ask-wonders = Se află aici una dintre aceste minuni?
ask-wonder-edges = Ce se vede pe marginea minunii { $wonder }?
ask-coat = Este un blazon pe el?
ask-coat-beneath = Este un blazon dedesubt? Ridică piesa și uită-te.
ask-wonder-coat = { $squares ->
    [1] Este un blazon pe această căsuță { of-the-wonder }?
   *[other] Este un blazon în acest oraș { of-the-wonder }?
}
ask-wonder-coats = Care orașe { of-the-wonder } au blazon?
of-the-wonder = { $id ->
   *[other] din { $wonder }
}
ask-meeple = Ce stă aici?
ask-there = Este o piesă aici?
ask-place = Pe ce stă?
ask-either = { $one } sau { $other }?
ask-kind = Ce piesă este aceasta?
ask-colour = Ce culoare are această piesă?
ask-marker = A cui piesă stă pe această minune?
ask-player = Ce culoare are acest jucător?
player-nobodys = ale nimănui
player-absent = { $player } nu a jucat
ask-pile = Câte sunt aici?
ask-special = { $kind ->
    [big] Care dintre acestea este meeple-ul mare?
    [builder] Care dintre acestea este constructorul?
    [pig] Care dintre acestea este porcul?
   *[abbot] Care dintre acestea este abatele?
}
ask-players = Câți au jucat, cu sau fără piese rămase pe tablă? De asta depinde { $wonder }.
ask-tiles_in_play = Cu câte cartonașe s-a jucat? { $wonder } aduce mai mult de la 120.
ask-box_rules = S-a jucat cu regulile din { $boxes }? Regulile minunilor le lasă deoparte.
ask-laps = Câte ture întregi a făcut { $player } pe tabela de scor?
ask-space = Pe ce spațiu al tabelei de scor stă piesa: { $player }?
ask-border = { $sides ->
    [one] Continuă tabla dincolo de această margine?
   *[several] Continuă tabla acolo unde fotografia arată prea puțin?
}

## Răspunsuri la o întrebare
tile-field = doar câmp
tile-fields = { $n ->
    [one] un singur câmp
    [few] { $n } câmpuri
   *[other] { $n } de câmpuri
}
tile-curve = curbă de la { $one } la { $other }
tile-straight = drum de la { $one } la { $other }
tile-fork = drum care se ramifică spre { $sides }
tile-roads = { $n ->
    [one] drum spre { $sides }
   *[other] drumuri spre { $sides }
}
tile-river = râu ({ $sides })
tile-city = { $coats ->
    [0] { tile-city-sides }
    [one] { tile-city-sides } cu un blazon
    [few] { tile-city-sides } cu { $coats } blazoane
   *[other] { tile-city-sides } cu { $coats } de blazoane
}
tile-city-sides = { $n ->
    [0] oraș
    [4] oraș pe toate laturile
   *[other] oraș la { $sides }
}
wonder-place = { $wonder }, începând de la { square }
wonder-edge = { $kind } pe latura de { $side }, { square }
wonder-coat = blazon în orașul de pe { square }
wonder-no-coat = fără blazon
coats-there = { $n ->
    [0] niciun blazon
    [1] un blazon
    [few] { $n } blazoane
   *[other] { $n } de blazoane
}
tile-drawn = ca în desen
tile-without = fără { $part }
printed-sides = { $kind } ({ $sides })
printed-coat = blazon
printed-inn = han
printed-cathedral = catedrală
printed-pig = turmă de porci
printed-goods = mărfuri
tile-none = niciun cartonaș
tile-unknown = un cartonaș necunoscut
meeple-none = niciun meeple
doubt-together = { $one }, împreună cu { $other } pe { square }
pile-count = { $n ->
    [0] nicio piesă ({ $colour })
    [one] o piesă ({ $colour })
    [few] { $n } piese ({ $colour })
   *[other] { $n } de piese ({ $colour })
}
special-piece = { square }: { $piece }
special-none = niciuna dintre ele
players-counted = { $n ->
    [one] un jucător
    [few] { $n } jucători
   *[other] { $n } de jucători
}
tiles_in_play-counted = { $n ->
    [120] 120 de cartonașe sau mai multe
    [one] { $n } cartonaș, cât este aici
    [few] { $n } cartonașe, câte sunt aici
   *[other] { $n } de cartonașe, câte sunt aici
}
box_rules-counted = { $n ->
    [1] cu aceste reguli
   *[other] doar cu cartonașele, fără aceste reguli
}
laps-gone = { $n ->
    [0] { $points }, nicio tură întreagă
    [1] { $points }, după o tură
    [few] { $points }, după { $n } ture
   *[other] { $points }, după { $n } de ture
}
border-ends = { $sides ->
    [one] Nu, aici se termină
   *[several] Nu, fotografia o arată toată
}
border-goes-on = { $sides ->
    [one] Da: atunci punctele nu pot fi aflate. Adaugă o fotografie cu partea aceea.
   *[several] Da, { $side ->
        [left] în stânga
        [top] sus
        [right] în dreapta
       *[bottom] jos
    }: atunci punctele nu pot fi aflate. Adaugă o fotografie cu partea aceea.
}
place-nowhere = niciun teritoriu cunoscut
wonder-none = nicio minune
value-nothing = nimic
value-yes = da
value-no = nu
piece-place = { $side ->
    [blank] { $kind }
   *[other] { $kind }, { $side }
}
meeple-placed = { $side ->
    [blank] { $piece } ({ $colour }): { $kind }
   *[other] { $piece } ({ $colour }): { $kind }, { $side }
}

## Reguli
rule-road-finished = Drum finalizat
rule-road-unfinished = Drum nefinalizat
rule-city-finished = Oraș finalizat
rule-city-unfinished = Oraș nefinalizat
rule-monastery-finished = Mănăstire finalizată
rule-monastery-unfinished = Mănăstire nefinalizată
rule-garden-finished = Grădină finalizată
rule-garden-unfinished = Grădină nefinalizată
rule-abbot-recalled = Abate retras
rule-field-farm = Țărani
rule-field-city = Țărani în jurul unui oraș
rule-field-barn = Hambar
rule-monastery-abbot = Abatele unei mănăstiri speciale
rule-goods-majority = Mărfuri
rule-gold-bars = Lingouri de aur
rule-king-cities = Regele
rule-baron-roads = Baronul tâlhar
rule-other-points = Alte puncte
rule-wonder-circus-maximus = Circus Maximus
rule-wonder-alhambra = Alhambra
rule-wonder-angkor-wat = Angkor Wat
rule-wonder-terracotta-army = Armata de Teracotă
rule-wonder-notre-dame = Notre-Dame
rule-wonder-stonehenge = Stonehenge
rule-wonder-tikal = Tikal

## Din ce se compun sumele
tiles-counted = { $tiles ->
    [one] { $tiles } cartonaș
    [few] { $tiles } cartonașe
   *[other] { $tiles } de cartonașe
}
coats-counted = { $coats ->
    [one] { $coats } blazon
    [few] { $coats } blazoane
   *[other] { $coats } de blazoane
}
cities-counted = { $cities ->
    [one] { $cities } oraș finalizat
    [few] { $cities } orașe finalizate
   *[other] { $cities } de orașe finalizate
}
farmers-counted = { $farmers ->
    [one] { $farmers } țăran
    [few] { $farmers } țărani
   *[other] { $farmers } de țărani
}
rows-counted = { $rows ->
    [one] { $rows } rând
    [few] { $rows } rânduri
   *[other] { $rows } de rânduri
}
columns-counted = { $columns ->
    [one] { $columns } coloană
    [few] { $columns } coloane
   *[other] { $columns } de coloane
}
inn-too = { $inn ->
    [0] { "" }
   *[other] { " " }(han)
}
cathedral-too = { $cathedral ->
    [0] { "" }
   *[other] { " " }(catedrală)
}
pig-too = { $pig ->
    [0] { "" }
   *[other] { " " }(porc)
}
siege-too = { $siege ->
    [0] { "" }
   *[other] { " " }(asediat)
}
besieged-too = { $besieged ->
    [0] { "" }
    [one] , dintre care unul asediat, dublu
   *[other] , dintre care { $besieged } asediate, dublu
}
vineyards-too = { $vineyards ->
    [0] { "" }
    [one] { " " }+ { $vineyards } podgorie × { $each }
    [few] { " " }+ { $vineyards } podgorii × { $each }
   *[other] { " " }+ { $vineyards } de podgorii × { $each }
}
before-too = { $before ->
    [0] { "" }
   *[other] , { $before } punctate deja
}
names-too = { $names ->
    [blank] { "" }
   *[other] : { $names }
}
rows-too = { $row_numbers ->
    [blank] { "" }
   *[other] ; rândul { $row_numbers }
}
columns-too = { $column_numbers ->
    [blank] { "" }
   *[other] ; coloana { $column_numbers }
}

## Sumele
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
around-counted = { $around ->
    [one] 1 + { $around } cartonaș în jur
    [few] 1 + { $around } cartonașe în jur
   *[other] 1 + { $around } de cartonașe în jur
}
entry-monastery-finished = { around-counted }{ vineyards-too }
entry-monastery-unfinished = { around-counted }{ vineyards-too }
entry-garden-finished = { around-counted }
entry-garden-unfinished = { around-counted }
entry-abbot-recalled = { around-counted }
entry-field-farm = { cities-counted } × { $each }{ pig-too }{ before-too }{ besieged-too }
entry-field-city = { farmers-counted } în jurul orașului{ pig-too }
entry-field-barn = { cities-counted } × { $each }{ besieged-too }
entry-monastery-abbot = { $cross ->
    [one] 1 + { $cross } cartonaș pe rândul și pe coloana ei
    [few] 1 + { $cross } cartonașe pe rândul și pe coloana ei
   *[other] 1 + { $cross } de cartonașe pe rândul și pe coloana ei
}
entry-goods-majority = { $tokens ->
    [one] cele mai multe mărfuri ({ $goods }): { $tokens } jeton
    [few] cele mai multe mărfuri ({ $goods }): { $tokens } jetoane
   *[other] cele mai multe mărfuri ({ $goods }): { $tokens } de jetoane
}
entry-gold-bars = { $bars ->
    [one] un lingou de aur × { $each }
    [few] { $bars } lingouri de aur × { $each }
   *[other] { $bars } de lingouri de aur × { $each }
}
entry-king-cities = { cities-counted }
entry-baron-roads = { $roads ->
    [one] un drum finalizat
    [few] { $roads } drumuri finalizate
   *[other] { $roads } de drumuri finalizate
}
entry-other-points = cum s-a introdus
entry-wonder-circus-maximus = { $meeples ->
    [one] { $meeples } meeple al altora în orașe nefinalizate × { $each }
    [few] { $meeples } meepleși ai altora în orașe nefinalizate × { $each }
   *[other] { $meeples } de meepleși ai altora în orașe nefinalizate × { $each }
}
entry-wonder-alhambra = { farmers-counted } × { $each }
entry-wonder-angkor-wat = { $roads ->
    [one] { $roads } drum lung × { $each }{ names-too }
    [few] { $roads } drumuri lungi × { $each }{ names-too }
   *[other] { $roads } de drumuri lungi × { $each }{ names-too }
}
entry-wonder-terracotta-army = ({ rows-counted } + { columns-counted }) × { $each }{ rows-too }{ columns-too }
entry-wonder-notre-dame = lângă o mănăstire
entry-wonder-stonehenge = un drum ocupat finalizat
entry-wonder-tikal = { $meeples ->
    [one] { $meeples } meeple în orașe × { $each }
    [few] { $meeples } meepleși în orașe × { $each }
   *[other] { $meeples } de meepleși în orașe × { $each }
}

## Explicații
explain-cities = { $n ->
    [0] Niciun oraș finalizat nu atinge acest câmp: țăranii nu aduc nimic aici.
    [one] Un oraș finalizat contează pentru țărani: { $names }.
    [few] { $n } orașe finalizate contează pentru țărani: { $names }.
   *[other] { $n } de orașe finalizate contează pentru țărani: { $names }.
}
explain-each = { $herds ->
    [0] Fiecare oraș finalizat aduce { $each } puncte.
   *[other] Fiecare oraș finalizat aduce { $each } puncte, pentru că aici e desenată o turmă de porci.
}
explain-by-city = După aceste reguli, fiecare aduce { $each } puncte jucătorului cu cei mai mulți țărani pe toate câmpurile din jur.
explain-pig = Cu porcul jucătorului { $player }, fiecare oraș îi aduce { $each } puncte.
explain-mayor = { $coats ->
    [0] Un primar contează cât stemele orașului: aici nimic.
    [one] Un primar contează cât stemele orașului: aici cât una.
    [few] Un primar contează cât stemele orașului: aici cât { $coats }.
   *[other] Un primar contează cât stemele orașului: aici cât { $coats }.
}
explain-besieged = Un oraș asediat contează dublu pentru țărani: { $names }.
explain-hill = Este egalitate, iar un deal decide pentru { $players }.
explain-pieces = { $kind ->
    [big] { $n ->
        [one] { $n } meeple mare
        [few] { $n } meepleși mari
       *[other] { $n } de meepleși mari
    }
    [abbot] { $n ->
        [one] { $n } abate
        [few] { $n } abați
       *[other] { $n } de abați
    }
    [mayor] { $n ->
        [one] { $n } primar
        [few] { $n } primari
       *[other] { $n } de primari
    }
    [wagon] { $n ->
        [one] { $n } căruță
        [few] { $n } căruțe
       *[other] { $n } de căruțe
    }
   *[meeple] { $n ->
        [one] { $n } meeple
        [few] { $n } meepleși
       *[other] { $n } de meepleși
    }
}
explain-counts = { $big ->
    [0] { $player } are aici { $pieces }.
   *[other] { $player } are aici { $pieces }, în total { $strength }. Un meeple mare contează cât doi.
}
explain-no-follower = { $player }: piesa „{ $piece }” nu contează pentru majoritate.
explain-box-rules = Nu s-a jucat cu regulile din { $boxes }, așa că nu contează aici.
explain-alone = Aici contează doar { $player }, care are deci majoritatea.
explain-majority = { $player } are majoritatea, { $most } la { $next }.
explain-tie = { $players } sunt la egalitate, cu câte { $most }: toți primesc punctele întregi.
explain-scores = { $points ->
    [one] { $player } primește un punct: { $sum }.
    [few] { $player } primește { $points } puncte: { $sum }.
   *[other] { $player } primește { $points } de puncte: { $sum }.
}
explain-nobody = Aici nu stă nicio piesă care contează, deci nu primește nimeni puncte.
explain-would = { $points ->
    [one] Majoritatea ar aduce un punct: { $sum }.
    [few] Majoritatea ar aduce { $points } puncte: { $sum }.
   *[other] Majoritatea ar aduce { $points } de puncte: { $sum }.
}
explain-across = { $across ->
    [empty] acolo nu e niciun cartonaș
    [unknown] cartonașul de acolo nu e cunoscut
    [unseen] fotografia nu arată ce e acolo
    [field] acolo e un câmp
    [road] acolo e un drum
    [city] acolo e un oraș
    [river] acolo e un râu
   *[inside] acolo e interiorul unei minuni
}
explain-the-wonder = { $id ->
   *[other] minunea { $wonder }
}
explain-holds = { $player } deține { explain-the-wonder }.
explain-holds-and-scores = { $points ->
    [one] { $player } deține { explain-the-wonder } și primește un punct pentru ea.
    [few] { $player } deține { explain-the-wonder } și primește { $points } puncte pentru ea.
   *[other] { $player } deține { explain-the-wonder } și primește { $points } de puncte pentru ea.
}
explain-unheld = { $lack ->
    [disputed] Pe { explain-the-wonder } stau piesele mai multor jucători, deci nu aduce puncte nimănui.
    [said] S-a precizat că { explain-the-wonder } nu e a nimănui, deci nu aduce puncte nimănui.
   *[unmarked] Pe { explain-the-wonder } nu stă niciun marcator, deci nu aduce puncte nimănui.
}
explain-as-owner = Dacă ar deține-o, jucătorii ar primi: { $players }.
explain-player-points = { $points ->
    [one] { $player } { $points } punct
    [few] { $player } { $points } puncte
   *[other] { $player } { $points } de puncte
}
explain-in-play = { explain-the-wonder } nu aduce puncte la sfârșitul jocului, oricine ar deține-o.
explain-during = { $id ->
    [notre-dame] Contează doar în timpul jocului: 3 puncte pentru fiecare meeple pe care proprietarul ei îl plasează lângă o mănăstire.
    [stonehenge] Contează doar în timpul jocului: 3 puncte pentru fiecare drum ocupat pe care îl finalizează proprietarul ei.
    [tikal] Contează doar în timpul jocului: câte 2 puncte pentru fiecare meeple al proprietarului din orașe, când se punctează un oraș de cel puțin 3 cartonașe în care se află unul dintre ei.
   *[abu-simbel] Contează doar în timpul jocului: în fiecare tură, proprietarul ei alege între două cartonașe.
}
explain-piece-in = { $player } la { $square }
explain-circus-maximus = { $players ->
    [one] Cu un jucător
    [few] Cu { $players } jucători
   *[other] Cu { $players } de jucători
}, fiecare meeple al altui jucător dintr-un oraș nefinalizat aduce { $each } puncte; { $n ->
    [0] aici nu e niciunul.
    [one] aici e unul: { $pieces }.
    [few] aici sunt { $n }: { $pieces }.
   *[other] aici sunt { $n }: { $pieces }.
}
explain-alhambra = { $size ->
    [large] Într-un joc cu cel puțin { $large } de cartonașe
   *[small] Într-un joc cu mai puțin de { $large } de cartonașe
} (aici { $tiles }), fiecare țăran al proprietarului aduce { $each } puncte; { $n ->
    [0] aici nu e niciunul.
    [one] aici e unul: { $pieces }.
    [few] aici sunt { $n }: { $pieces }.
   *[other] aici sunt { $n }: { $pieces }.
}
explain-angkor-wat = Fiecare drum de cel puțin { $least } cartonașe aduce { $each } puncte, finalizat sau nu; { $n ->
    [0] aici nu e niciunul.
    [one] aici e unul: { $names }.
    [few] aici sunt { $n }: { $names }.
   *[other] aici sunt { $n }: { $names }.
}
explain-terracotta-army = Fiecare rând și fiecare coloană cu cel puțin { $least } cartonașe fără întrerupere aduce { $each } puncte; { $n ->
    [0] aici nu e niciuna.
    [one] aici e una: { $lines }.
    [few] aici sunt { $n }: { $lines }.
   *[other] aici sunt { $n }: { $lines }.
}
explain-line-row = rândul { $index }
explain-line-column = coloana { $index }
explain-standing = { $player }: { $final } la punctarea finală + { $track } pe tabela de scor = { $total }{ $place ->
    [0] { "" }
   *[other] { ", locul " }{ $place }
}
explain-turned = { $tile }, rotit { $turns } × 90°
explain-problem = Problemă: { $text }
explain-legend-doubtful = { $n ->
    [one] { $n } poziție nesigură
    [few] { $n } poziții nesigure
   *[other] { $n } de poziții nesigure
}
explain-legend-unknown = { $n ->
    [one] { $n } poziție necunoscută
    [few] { $n } poziții necunoscute
   *[other] { $n } de poziții necunoscute
}
explain-legend-problems = { $n ->
    [one] { $n } problemă
    [few] { $n } probleme
   *[other] { $n } de probleme
}
explain-legend-open = scorul se mai poate schimba
explain-head-feature = Teritoriu
explain-head-counts = Ce contează
explain-head-rule = Regulă
explain-head-square = Căsuță
explain-head-tile = Cartonaș
explain-head-part = Parte
explain-head-line = Rând sau coloană
explain-head-runs = Cartonașe fără întrerupere
explain-size = mărimea { $n }
explain-empty = acolo nu e nimic
failed-title = Eroare:
failed-meant = Ai vrut să scrii { $word }?
try-photo_not_found = Încearcă așa: verifică numele fișierului și dosarul lui.
try-file_not_found = Încearcă așa: verifică numele fișierului și dosarul lui.
try-cannot_write = Încearcă așa: alege un fișier dintr-un dosar în care poți scrie.
try-photo_ambiguous = Încearcă așa: scrie fotografia împreună cu dosarul ei.
try-models_missing = Încearcă așa: instalează din nou Wondertally.
try-models_damaged = { try-models_missing }
try-game_not_enrolled = Încearcă așa: wondertally enrol board --help
try-versions_differ = Încearcă așa: instalează aceeași versiune pe fiecare worker, cu aceleași date memorate, apoi dă din nou aceeași comandă.
try-worker_unfit = Încearcă așa: instalează din nou Wondertally pe fiecare worker, apoi dă din nou aceeași comandă.
try-PassingError = Încearcă așa: dă din nou aceeași comandă.
try-internal_error = Încearcă așa: dă comanda încă o dată; dacă eșuează din nou, raportează acest rând cu comanda și fișierele ei.
try-PhotoError = Încearcă așa: deschide imaginea și salveaz-o din nou ca JPEG sau fotografiază încă o dată.
try-ReadingError = Încearcă așa: fotografiază toată tabla de sus, în lumină uniformă, cu puțină masă în jur.
try-ScoringError = Încearcă așa: compară textul cu exemplele din docs/commands.md.
try-RulesetError = Încearcă așa: wondertally rules arată variantele de reguli, docs/commands.md cutiile.
try-CalibrationError = Încearcă așa: instalează din nou Wondertally.
try-CatalogueError = Încearcă așa: compară fișierul cu exemplul din docs/wonder-files.md.
try-ComponentsError = Încearcă așa: compară fișierul cu exemplul din docs/games.md.
try-PlayError = Încearcă așa: corectează această mutare din înregistrare; cele dinainte sunt bune.
try-RecordError = Încearcă așa: corectează acest rând din înregistrare.
try-InputError = Încearcă așa: cu --help, comanda își arată opțiunile.
try-EnrolmentError = Încearcă așa: wondertally enrol --help
try-QuestionError = Încearcă așa: wondertally explain fără nicio alegere arată tot ce poți întreba.
try-FragmentError = Încearcă așa: copiază din nou tot linkul.
try-BatchError = Încearcă așa: wondertally batch --help
try-ClusterError = Încearcă așa: pornește schedulerul și workerii, apoi dă din nou aceeași comandă.
try-ReportError = Încearcă așa: scrie din nou raportul cu wondertally score --json.
try-ServerError = Încearcă așa: repornește serverul; jurnalul lui arată motivul.
try-ServingError = Încearcă așa: compară setările serverului cu docs/settings.md.
explain-written = Explicația: { $file }
explain-drawn = Imaginea: { $file }
nothing-outvoted = { $player } nu primește nimic, cu { $mine } la { $most } ({ $leaders }).
nothing-no_city = { $player } nu primește nimic: niciun oraș finalizat nu atinge câmpul.
nothing-farmers_outvoted = { $player } nu primește nimic: alții au mai mulți țărani în jurul acestor orașe.
nothing-counted_before = { $player } nu primește nimic aici: toate orașele contează deja pentru alt câmp al său.
nothing-inn = { $player } nu primește nimic: un drum cu han aduce puncte doar dacă este finalizat.
nothing-cathedral = { $player } nu primește nimic: un oraș cu catedrală aduce puncte doar dacă este finalizat.
nothing-no_follower = { $player } nu primește nimic aici: piesa „{ $piece }” nu contează pentru majoritate.
nothing-box_rules = { $player } nu primește nimic: nu s-a jucat cu regulile din { $boxes }.
nothing-in_play = { $player } nu primește nimic la final: { $wonder } aduce puncte doar în timpul jocului.
nothing-wonder = { $player } nu primește nimic: nimic de pe tablă nu aduce puncte pentru { $wonder }.
nothing-disputed = { $player } nu primește nimic: pe { $wonder } stau piesele mai multor jucători.
nothing-nowhere = { $player } nu primește nimic pentru o piesă care nu stă pe niciun teritoriu cunoscut.

## Unde se află regulile
explain-section-base-road = Jocul de bază, punctarea unui drum
explain-section-base-final-roads = Jocul de bază, punctarea finală: drumuri
explain-section-base-city = Jocul de bază, punctarea unui oraș
explain-section-base-final-cities = Jocul de bază, punctarea finală: orașe
explain-section-base-monastery = Jocul de bază, punctarea unei mănăstiri
explain-section-base-final-monasteries = Jocul de bază, punctarea finală: mănăstiri
explain-section-base-final-farms = Jocul de bază, punctarea finală: țărani
explain-section-first-final-farms = Jocul de bază, prima ediție, punctarea finală: țărani
explain-section-abbot-garden = Abatele, punctarea unei grădini
explain-section-abbot-final = Abatele, punctarea finală
explain-section-abbot-back = Abatele, recuperarea abatelui
explain-section-inns-inns = Hanuri și catedrale, hanuri
explain-section-inns-cathedrals = Hanuri și catedrale, catedrale
explain-section-traders-pig = Negustori și constructori, porcul
explain-section-traders-goods = Negustori și constructori, punctarea finală: mărfuri
explain-section-gold-bars = „Minele de aur”, punctarea finală
explain-section-king-final = „Regele și baronul tâlhar”, punctarea finală
explain-section-entered = Cum s-a introdus
explain-section-river-herd = Râul II, turma de porci
explain-section-abbey-barn = Abația și primarul, hambarul
explain-section-siege-cities = Asediul, punctarea unui oraș
explain-section-siege-farmers = Asediul, țăranii
explain-section-hills-vineyards = Dealuri și oi, podgoriile
explain-section-monasteries-abbot = Mănăstiri din Germania, abații
explain-section-wonders-during = Minunile umanității, punctarea în timpul jocului
explain-section-wonders-after = Minunile umanității, punctarea la sfârșitul jocului
explain-section-wonders-notre-dame = { explain-section-wonders-during }: { wonder-notre-dame }
explain-section-wonders-stonehenge = { explain-section-wonders-during }: { wonder-stonehenge }
explain-section-wonders-tikal = { explain-section-wonders-during }: { wonder-tikal }
explain-section-wonders-circus-maximus = { explain-section-wonders-after }: { wonder-circus-maximus }
explain-section-wonders-alhambra = { explain-section-wonders-after }: { wonder-alhambra }
explain-section-wonders-angkor-wat = { explain-section-wonders-after }: { wonder-angkor-wat }
explain-section-wonders-terracotta-army = { explain-section-wonders-after }: { wonder-terracotta-army }

## Probleme ale tablei
features-too = { $features ->
    [blank] { "" }
   *[other] { " " }{ $features } poate continua acolo și se numără doar cât se cunoaște.
}
problem-wonder_damaged = Exemplarul memorat pentru { $wonder } este deteriorat și nu a fost folosit: memorează-l din nou sau anulează memorarea.
problem-tiles_not_used = Ca număr de cartonașe în joc s-a dat { $number }, dar aici sunt { $there }: numărul nu a fost folosit.
problem-owner_not_used = Înainte de citire s-a precizat că { $wonder } { $player ->
    [blank] nu este a nimănui
   *[other] aparține jucătorului { $player }
}. Minunea nu a fost găsită; precizarea contează de îndată ce apare aici.
problem-possible_wonder = Aici poate fi o minune, deși au fost citite alte cartonașe.
problem-wonder_unmarked = Nicio piesă nu marchează { $wonder }: a cui este minunea?
problem-edge_mismatch = Marginile nu se potrivesc: { $here } lângă { $there }.
problem-more_than_the_box = Un cartonaș apare aici de { $number ->
    [few] { $number } ori
   *[other] { $number } de ori
}, dar există doar { $held }: { $tile }.
problem-several_boxes = { $kinds ->
    [few] { $kinds } feluri
   *[other] { $kinds } de feluri
} de cartonașe apar aici de mai multe ori decât în cutiile lor: o cutie este de două ori pe masă sau cartonașele sunt din altă cutie.
problem-several_base_games = Aici par să fie { $games ->
    [2] două
    [few] { $games }
   *[other] { $games } de
} jocuri de bază: { $tiles ->
    [few] { $tiles } cartonașe
   *[other] { $tiles } de cartonașe
}, iar un joc are { $held }.
problem-island = { $tiles ->
    [one] Un cartonaș nu atinge niciun altul.
    [few] { $tiles } cartonașe nu ating niciun altul.
   *[other] { $tiles } de cartonașe nu ating niciun altul.
}
problem-tiles_lacking = { $tiles ->
    [one] Unul dintre cele { $whole } de cartonașe ale jocului nu se află aici: poate a fost trecut cu vederea.
    [few] { $tiles } cartonașe dintre cele { $whole } ale jocului nu se află aici: poate au fost trecute cu vederea.
   *[other] { $tiles } de cartonașe dintre cele { $whole } ale jocului nu se află aici: poate au fost trecute cu vederea.
}
problem-broken_wonder = { $squares ->
    [one] Doar una din cele 5 căsuțe ale minunii { $wonder } se află aici.
   *[other] Doar { $squares } din cele 5 căsuțe ale minunii { $wonder } se află aici.
}
problem-beyond_the_picture = { $tiles ->
    [one] Un cartonaș se află la marginea imaginii sau prea departe ca să se vadă dincolo de el: ce este dincolo nu se numără.
    [few] { $tiles } cartonașe se află la marginea imaginii sau prea departe ca să se vadă dincolo de ele: ce este dincolo nu se numără.
   *[other] { $tiles } de cartonașe se află la marginea imaginii sau prea departe ca să se vadă dincolo de ele: ce este dincolo nu se numără.
}
problem-meeple_without_tile = Un meeple ({ $colour }) stă unde nu este niciun cartonaș.
problem-meeple_without_feature = Un meeple ({ $colour }) nu stă pe niciun teritoriu cunoscut.
problem-too_many_meeples = { $colour }: { $number } × { $piece }, dar un jucător are { $most }.
problem-tile_unknown = Acest cartonaș este necunoscut și nu aduce puncte.{ features-too }
problem-tile_not_scored = Acest cartonaș este din { $box }, care nu se punctează aici.{ features-too }
problem-box_not_scored = Cartonașele din { $box } contează ca teren, dar ce mai punctează extensia la sfârșitul jocului nu se numără aici.
problem-piece_not_scored = Piesa ({ $piece }) este din { $box }, care nu se punctează aici.
problem-impossible_meeple = { $piece } ({ $colour }), { $pose }: nu este posibil pe acest teritoriu ({ $below }).
problem-lonely_piece = { $piece } ({ $colour }) stă unde nu este niciun meeple de aceeași culoare.
problem-unmarked_wonder = Pe { $wonder } nu stă niciun marcator: nu aduce puncte nimănui.
problem-disputed_wonder = Pe { $wonder } stau { $markers } marcatori, dar minunea are un singur proprietar.
problem-too_many_wonders = { $player } a marcat { $wonders } minuni; sunt permise cel mult două.
problem-too_many_players = Aici sunt piese de { $number } culori, dar { $most ->
    [one] a jucat o singură persoană
   *[other] au jucat { $most } persoane
}.
problem-complete_but_occupied = { $feature } ({ $kind }) este finalizat, dar încă are meepleși.

## De la ce pleacă scorul
assumed-players = { $players ->
    [one] Circus Maximus este calculat pentru un singur jucător, pentru că aici este o singură culoare.
    [few] Circus Maximus este calculat pentru { $players } jucători, câte culori sunt aici.
   *[other] Circus Maximus este calculat pentru { $players } de jucători, câte culori sunt aici.
}
assumed-tiles_in_play = { $tiles ->
    [one] Alhambra este calculată pentru un joc cu un singur cartonaș, cât se află aici.
    [few] Alhambra este calculată pentru un joc cu { $tiles } cartonașe, câte se află aici.
   *[other] Alhambra este calculată pentru un joc cu { $tiles } de cartonașe, câte se află aici.
}
assumed-goods = { $tokens ->
    [one] Mărfurile nu sunt numărate, deși orașele finalizate arată una.
    [few] Mărfurile nu sunt numărate, deși orașele finalizate arată { $tokens }.
   *[other] Mărfurile nu sunt numărate, deși orașele finalizate arată { $tokens }.
}
assumed-holdings = Nu s-a socotit nimic pentru ce au jucătorii din { $box }: introdu la „Jucători”.
assumed-box_rules = Regulile din { $boxes } sunt luate în calcul, deși nimeni nu a spus că s-a jucat cu ele.

## Probleme ale tabelei de scor
problem-track_piece_missing = Pe tabela de scor nu s-a găsit nicio piesă: { $player }.
problem-track_not_sure = Piesa de pe tabela de scor ar putea sta pe { $spaces } ({ $player }).
problem-track_too_many = { $player } pe { $spaces } pe tabela de scor: tabla de joc putea aduce cel mult { $most ->
    [one] { $most } punct
    [few] { $most } puncte
   *[other] { $most } de puncte
}.
problem-track_laps_unknown = { $player } pe { $space } pe tabela de scor se ia drept { $points ->
    [one] { $points } punct
    [few] { $points } puncte
   *[other] { $points } de puncte
}; cu încă o tură ar fi { $others }.
problem-track_stranger = O piesă pe tabela de scor, dar niciuna pe cartonașe: { $player } (pe { $spaces }).
problem-token_not_sure = Fotografia nu arată sigur al cui este jetonul de { $points ->
    [one] { $points } punct
    [few] { $points } puncte
   *[other] { $points } de puncte
}.
problem-report_differs = Raportul spune { $totals }, dar tabla dă alte puncte.

## Probleme ale mutărilor dintre fotografii
problem-tiles_vanish = Lipsesc cartonașe dintr-o fotografie anterioară.
problem-tile_changed = Aici este alt cartonaș decât înainte.
problem-unknown_tile = Acest cartonaș nu este recunoscut. Corectează-l și jocul merge mai departe.
problem-piece_on_old_tile = O piesă a fost pusă pe un cartonaș care era deja acolo.
problem-piece_gone_early = O piesă a fost luată înainte ca teritoriul ei să fie finalizat.
problem-piece_stays = O piesă stă încă pe un teritoriu finalizat.
problem-no_way = Nicio succesiune permisă de ture nu duce de la o fotografie la următoarea.
problem-points_too_few = Cine a așezat o minune nu avea până atunci punctele pentru ea: verifică punctele de la prima fotografie.
problem-too_much_played = S-a jucat prea mult între fotografii pentru a încerca totul.
problem-order = Ordinea turelor nu se poate afla.
problem-record_ends = Înregistrarea se oprește aici.
problem-unseen_piece = { $player } poate a pus o piesă pe { square } ({ $piece }: { $place }) și a luat-o înapoi: atunci punctele dintre cele două fotografii sunt { $scores }.
problem-assumed_piece = Presupus: { $player } a pus o piesă pe { square } ({ $piece }: { $place }) și a luat-o înapoi pentru { $points ->
    [one] { $points } punct
    [few] { $points } puncte
   *[other] { $points } de puncte
} ({ $likely }).
problem-points_differ = { $player } ar avea { $points ->
    [one] { $points } punct
    [few] { $points } puncte
   *[other] { $points } de puncte
} la { $photo }, dar cu { $before } la { $since } mutările dau { $possible }.
problem-wonder_taken = { $player } are punctele pentru o minune: care a fost luată?
problem-track_differs = Tabela de scor de pe { $photo } arată un scor al jucătorului { $player } pe care mutările nu îl dau.
log-photo = fotografia { $n }
problem-photo_moved = { $photo } a fost făcută { $where ->
    [before] înainte de
   *[after] după
} { $near }, deci stă acum acolo.
problem-turn_differs = La { $photo } ar fi la rând { $player }, dar după mutările dinainte este { $other }: jocul continuă cu { $player }.
problem-pieces_cleared = Ultima fotografie nu mai arată nicio piesă: au fost strânse și contează ca înainte.
problem-doubtful_tile = { $case ->
    [unknown] Cartonașul ar putea fi altul: { $others }.
    [out] Aici ar putea fi: { $reads }. Mutările nu lasă însă loc pentru un cartonaș: nu se numără niciunul.
   *[read] Cartonașul se numără ca { $reads }. Ar putea fi altul: { $others }.
}
problem-doubtful_time = Cartonașul ar fi putut fi plasat în alt moment.
problem-doubtful_piece = { $case ->
    [assumed] Fotografiile arată aici: { $instead }. Cu mutările se potrivește însă: { $read }. Aceasta se numără.
   *[seen] Se numără aici: { $read }. Ar putea fi: { $instead } ({ $likely }).
}
problem-players_not_named = Jucătorii nu au fost numiți: sunt deduși din meepleșii văzuți.
problem-box_rules_unsaid = Nu s-a precizat dacă s-a jucat cu regulile din { $box }, iar punctele depind de asta.
problem-on_turn = Nu se știe cine era la rând la prima fotografie.
problem-kinds_not_told = Meepleșii mari, constructorii și porcii sunt luați drept meepleși obișnuiți.

## Erori: fotografia
error-photo_not_found = Această fotografie nu există.
error-photo_unreadable = Fotografia nu poate fi deschisă.
error-empty_file = Fișierul este gol.
error-not_an_image = Fișierul nu este o imagine.
error-unsupported_image = Se pot citi doar imagini JPEG, PNG, WebP și HEIC.
error-heif_missing = Serverul acesta nu citește fotografii HEIC. Trimite fotografia ca JPEG: pe iPhone, la Configurări, Cameră, Formate, alege „Maximum de compatibilitate”.
error-too_large = Imaginea este prea mare.
error-truncated_image = Sfârșitul imaginii lipsește: nu a fost trimisă complet.
error-broken_image = Imaginea este deteriorată.
error-costly_image = Deschiderea acestei imagini durează prea mult: salveaz-o din nou ca JPEG simplu și trimite-o pe aceea.
error-board_not_found = În fotografie nu s-a găsit nicio tablă.
error-board_too_large = Sunt mai multe cartonașe decât poate avea o tablă.
error-photos_do_not_join = Fotografia arată altă tablă decât celelalte sau prea puțin din ea.
error-photos_out_of_order = Cartonașe dintr-o fotografie lipsesc în următoarea: fotografiile nu sunt în ordine cronologică.
error-same_photo = Aceeași fotografie a fost dată de două ori.
error-not_needed = Altă fotografie arată tabla mai bine și a fost citită în locul ei.

## Erori: ce s-a cerut
error-unsupported_game = Acest joc nu se punctează aici.
error-file_not_found = Acest fișier nu există.
error-cannot_write = Fișierul nu poate fi scris.
error-output_twice = Două rezultate ar ajunge în același fișier: alege alt fișier pentru unul dintre ele.
error-bad_usage = Comanda nu poate fi înțeleasă.
error-models_missing = Rețelele antrenate lipsesc.
error-models_damaged = Un fișier al rețelelor antrenate este deteriorat: reinstalează Wondertally.
error-photo_ambiguous = Mai multe fotografii au acest nume.
error-order_unknown = Spune ce se află în fotografie.
error-board_does_not_fit = Fotografia arată căsuțe așezate altfel decât pe tablă.
error-turn_not_clear = Tabla se potrivește cu fotografia în mai multe feluri.
error-board_contradicts_photo = Cele mai multe cartonașe din fotografie arată altfel decât cele date.
error-nothing_to_enrol = Nu există niciun cartonaș cu nume care să poată fi memorat.
error-report_disagrees = Cartonașele raportului și notația lui nu descriu aceeași tablă.
error-piece_does_not_fit = Această piesă nu corespunde formei ei din fișierul de componente.
error-pieces_not_taught = Acest joc nu are piese care trebuie memorate.
error-report_for_photo = Acesta este un raport, dar aici e nevoie de o fotografie: indică fotografiile din care a fost citit.
error-photo_wanted = Fotografia raportului lipsește.
error-bad_name = Acest nume nu poate fi folosit.
error-enrolment_exists = Acest nume este deja folosit.
error-no_such_enrolment = Nu este memorat nimic cu acest nume.
error-spaces_invalid = Fișierul cu spațiile tabelei de scor nu este valid.
error-bad_corners = Colțurile date nu sunt cele patru colțuri ale unei table din această fotografie.
error-spaces_not_in_order = Traseul trebuie să înceapă cu spațiul 0, iar numerele lui trebuie să crească.
error-space_off_board = Un spațiu al traseului se află în afara tablei.
error-spaces_too_near = Două spații se suprapun sau aproape.
error-laps_do_not_fit = Lungimea unei ture nu este nici numărul spațiilor, nici numărul ultimului spațiu.
error-print_too_plain = Fotografia arată prea puține detalii pentru a recunoaște tabela de scor sau jetonul.
error-bad_score_token = Un jeton valorează între 1 și 500 de puncte.
error-token_not_seen = Fotografia nu arată un singur jeton pe un fond uni de altă culoare.
error-bad_enrolment = Datele memorate sunt deteriorate sau din altă versiune.
error-bad_enrolment-wonder = Exemplarul memorat al acestei minuni este deteriorat: memorează-l din nou sau anulează memorarea.
error-enrolment_not_empty = În locul fișierului memorat se află un dosar cu fișiere: te rog să-l ștergi.
error-cannot_write_enrolment = Datele nu pot fi memorate.
error-game_not_enrolled = Tabla goală a acestui joc nu este încă memorată pe acest calculator.
error-no_such_picture = Acest joc nu are o tablă cu acest nume.
error-no_such_mark = Pe tablă nu există nimic cu acest nume.
error-no_such_value = Pe tablă nu este tipărit niciun număr cu acest nume.
error-size_not_told = Forma marcată nu poate fi cardul: cele patru colțuri ale ei nu sunt în fotografie sau tabla ar fi imposibil de mică sau de mare. Atinge un card bancar aflat lângă tablă sau scrie mărimea tablei.
error-board_incomplete = Din această tablă mai lipsește ceva.
error-shape_empty = Una dintre forme nu are încă nicio căsuță: atinge-le pe cele pe care le acoperă cartonașul sau șterge forma.
error-shape_not_connected = Căsuțele acestei forme nu sunt legate între ele: fiecare trebuie să aibă o latură comună cu alta.
error-shape_too_large = Un cartonaș are cel mult cinci căsuțe în lungime și în lățime.
error-shape_twice = Ai desenat forma aceasta de două ori: rotit, cartonașul are tot aceeași formă.
error-nothing_to_take_back = Nu mai există nicio modificare de anulat: așa a început.
error-board_file_invalid = Acesta nu este un fișier cu tabla unui joc sau este deteriorat.
error-bad_report = Fișierul nu este un raport care poate fi citit.
error-bad_square = O căsuță se dă prin rând și coloană.
error-no_such_feature = Pe tablă nu există un teritoriu cu acest nume.
error-nothing_there = Pe acea căsuță nu este nimic de acest fel.
error-no_such_player = Nimeni nu joacă cu această culoare.
error-wrong_photo = Raportul a fost făcut din altă fotografie.
error-players_needed = Numește jucătorii în ordine: fotografiile nu îi arată.
error-bad_players = Este nevoie de două până la șase culori diferite.
error-too_few_photos = Mutările se află comparând fotografii: este nevoie de cel puțin două.
error-too_wide_to_draw = Tabla este prea lată pentru a fi desenată.
error-bad_track = Punctele de pe tabela de scor se dau ca o culoare și un număr întreg.
error-negative_track = Punctele nu pot fi negative.
error-track_twice = Punctele unei culori sunt date de două ori.
error-bad_player_count = Numărul de jucători trebuie să fie un număr întreg de la 1 la 12.
error-bad_tile_count = Numărul de cartonașe în joc trebuie să fie un număr întreg de la 1 la 1000.
error-bad_goods = Mărfurile se dau ca o culoare, un fel de marfă și un număr.
error-goods_twice = Un fel de marfă este dat de două ori pentru aceeași culoare.
error-bad_owner = Proprietarul unei minuni se dă prin numele minunii și o culoare.
error-owner_twice = Proprietarul unei minuni este dat de două ori.
error-bad_table = Datele despre masă din etichetă nu sunt posibile.

## Erori: corecturi
error-square_empty = Pe acea căsuță nu este niciun cartonaș.
error-square_too_far = Acea căsuță este prea departe de tablă.
error-tile_unknown_name = Niciun cartonaș nu se numește așa.
error-no_wonder_there = Pe acea căsuță nu este nicio minune.
error-bad_wonder_layout = Această minune nu poate fi citită astfel.
error-wonder_not_there = Acea minune nu este pe tablă.
error-meeple_unknown = Acel meeple nu există.
error-place_unknown = Cartonașul de pe acea căsuță nu are un asemenea teritoriu.
error-colour_unknown = Nimeni nu are piese de această culoare.
error-too_many_tiles = Toate cutiile împreună au mai puține cartonașe.
error-too_few_tiles = Pe masă sunt mai multe cartonașe decât s-a spus că sunt în joc: schimbă întâi numărul lor.
error-too_many_corrections = Sunt prea multe corecturi.
error-wonder_there = Pe acea căsuță este o minune.
error-photo_unknown = Jocul nu are nicio fotografie cu acest nume.
error-photo_set_aside = Acea fotografie este lăsată deoparte.
error-left_aside = Ai lăsat deoparte această fotografie.
error-points_fall = Punctele nu scad: o fotografie de dinainte are mai multe sau una de după are mai puține.
error-nothing_assumed = Pe acea căsuță nu s-a presupus că o piesă a fost pusă și luată înapoi.
error-taking_impossible = După reguli, acel jucător nu putea să pună acolo o piesă și să o ia înapoi.
error-bad_corrections = Corecturile nu sunt o listă de corecturi cunoscute.
error-game_wanted = Spune ce joc este.
error-other_game = Nu ține de acest joc.
error-spot_unknown = Masa nu are o asemenea poziție.
error-spot_value_impossible = Așa ceva nu poate sta în această poziție.
error-bad_set = O poziție se dă prin numele ei și o valoare.
error-component_missing = Lipsește încă un număr tipărit pe exemplarul tău: scrie-l în fișierul de componente.
error-components_invalid = Fișierul de componente nu poate fi folosit.
error-bad_fragment = Linkul nu conține nicio tablă sau este incomplet.
error-fragment_too_large = Linkul conține mai mult decât îi trebuie unei table.

## Erori: serverul
error-internal_error = Ceva nu a mers bine aici. Încearcă din nou; dacă eșuează iar, anunță administratorul serverului.
error-bad_request = Cererea nu poate fi înțeleasă. Reîncarcă pagina și încearcă din nou.
error-bad_field = Un câmp al cererii nu poate fi citit. Verifică ce ai introdus.
error-body_too_large = Este prea mult pentru o singură trimitere. Trimite fotografii mai puține sau mai mici.
error-conflict = Între timp altcineva a schimbat ceva. Verifică din nou, apoi continuă.
error-wrong_code = Codul nu este valabil. Scanează-l pe cel afișat acum de server.
error-cross_site = Cererea a venit de pe alt site. Deschide chiar această pagină.
error-unknown_host = Serverul nu răspunde sub acest nume: folosește localhost sau adaugă numele la setările lui.
error-interrupted = Citirea a fost întreruptă: trimite din nou fotografia.
error-key_wanted = Pentru acest lucru este nevoie de o cheie. Administratorul serverului îți poate da una.
error-wrong_key = Cheia nu este cunoscută. Verific-o sau cere alta administratorului serverului.
error-local_only = Acest lucru se poate face doar pe calculatorul serverului. Deschide pagina acolo sau asociază acolo acest dispozitiv.
error-not_found = Aici nu este nimic sau nu mai este. Verifică linkul.
error-method_not_allowed = Acest lucru nu se poate face aici. Reîncarcă pagina și încearcă din nou.
error-not_read_yet = Fotografia nu este încă citită. Așteaptă până este gata.
error-table_exists = Masa aceasta există deja în turneu: adaugă acolo alte fotografii și corectează acolo ce s-a schimbat.
error-already_checked = Cineva a corectat sau a verificat deja masa aceasta. Retrage asta înainte de a adăuga fotografii.
error-track_open = Punctele de pe tabela de scor lipsesc încă sau nu sunt sigure. Introdu-le mai întâi.
error-nothing_to_undo = Nu este nimic de anulat: așa a început.
error-not_ready = Serverul nu este gata să citească fotografii. Încearcă din nou peste un minut.
error-storage_away = Serverul nu poate accesa acum datele păstrate: încearcă din nou mai târziu.
error-storage_full = Discul serverului este plin: încearcă din nou mai târziu sau șterge citirile de care nu mai are nimeni nevoie.
error-not_yours = Doar proprietarul poate face acest lucru. Cere-i linkul care îl permite.
error-token_wanted = Doar proprietarul poate face acest lucru. Cere-i linkul care îl permite.
error-scoring_busy = Se punctează multe table acum: încearcă din nou peste puțin timp.
error-queue_full = Așteaptă prea multe fotografii: încearcă din nou peste puțin timp.
error-cannot_listen = Serverul nu poate folosi acea adresă: este ocupată sau nu aparține acestui calculator.
error-bad_settings = Setările serverului nu sunt valide.
error-photos_not_empty = Dosarul pentru fotografii conține alte fișiere, care nu sunt ale serverului: indică un dosar gol.
error-photos_of_another = Fotografiile din acel dosar aparțin altei baze de date: indică acea bază de date sau un dosar gol.
error-reading_crashed = Citirea a eșuat: încearcă altă fotografie.
error-reading_stopped = Citirea a durat prea mult și a fost oprită. Trimite fotografia din nou sau una mai mică.
error-too_many_requests = Prea multe cereri: așteaptă puțin.
error-upload_too_slow = Fotografia a venit prea încet. Trimite-o din nou printr-o rețea mai rapidă.
error-wrong_content_type = Acest fel de conținut nu poate fi citit aici. Trimite o fotografie sau un fișier potrivit.

## Erori: table, etichete și fișiere de minuni
error-unknown_rules = Set de reguli necunoscut.
error-bad_boxes = Indică pentru fiecare cutie, o singură dată, câte exemplare sunt pe masă: base=2.
error-bad_box_rules = Indică pentru fiecare extensie, o singură dată, dacă s-a jucat cu regulile ei: inns=on sau inns=off.
error-unknown_tile = Niciun cartonaș nu se numește așa.
error-unknown_box = Această cutie nu există.
error-unknown_pose = Această poziție nu există.
error-unknown_letter = Niciun cartonaș nu are această literă.
error-unknown_wonder = Această minune nu există.
error-no_such_part = Cartonașul nu are un asemenea teritoriu.
error-no_such_segment = Cartonașul nu are un asemenea teritoriu.
error-no_such_place = Cartonașul nu are un asemenea teritoriu.
error-no_tiles = Tabla nu are cartonașe.
error-no_tile = Acolo nu este niciun cartonaș.
error-no_rows = Tabla nu are rânduri.
error-bad_label = Eticheta nu poate fi citită.
error-bad_points = Punctele prin care o etichetă așază tabla în fotografie nu se potrivesc.
error-no_photo = Eticheta nu spune din ce fotografie este.
error-bad_notation = Rândul de text nu poate fi citit.
error-bad_meeple = Un meeple nu poate fi citit.
error-bad_tile = Un cartonaș nu poate fi citit.
error-bad_origin = Prima căsuță a tablei nu poate fi citită.
error-bad_place = O poziție nu poate fi citită.
error-bad_row = Un rând nu poate fi citit.
error-bad_turn = Rotirea unui cartonaș nu poate fi citită.
error-bad_token = Un cuvânt nu poate fi citit.
error-negative_square = O căsuță este în afara tablei.
error-not_on_the_tile = Poziția nu se află pe cartonaș.
error-bad_toml = Fișierul minunii nu poate fi citit.
error-wonder_file_too_large = Este prea lung pentru fișierul unei minuni.
error-bad_edge = O margine din fișierul minunii nu este posibilă.
error-bad_marker = Marcatorul din fișierul minunii nu poate sta acolo.
error-bad_monastery = O mănăstire din fișierul minunii nu este posibilă.
error-bad_path = Un desen din fișierul minunii nu poate fi citit.
error-cannot_be_drawn = Pentru laturile minunii nu s-a găsit un desen fără încrucișări.
error-bad_squares = Căsuțele din fișierul minunii nu formează un cartonaș cu minune.
error-bad_value = O valoare din fișierul minunii nu este posibilă.
error-beyond_the_squares = Un desen din fișierul minunii iese din căsuțele ei.
error-contradicts_the_rules = Fișierul minunii contrazice regulile.
error-missing_key = În fișierul minunii lipsește ceva.
error-unknown_key = Fișierul minunii conține o intrare necunoscută.
error-no_way_out = Un drum din fișierul minunii nu duce nicăieri.
error-on_the_border = Un desen din fișierul minunii se află pe o margine.
error-overlap = Desenele din fișierul minunii se suprapun.

## Erori: joc și înregistrări
error-bad_start = Jocul nu poate începe așa.
error-game_over = Jocul s-a terminat.
error-kept_tile_lost = Cartonașul păstrat nu este acolo.
error-must_keep_a_tile = Un cartonaș trebuie păstrat.
error-nothing_to_keep = Nu este niciun cartonaș de păstrat.
error-no_abbot_out = Niciun abate nu stă pe tablă.
error-no_extra_tile = Nu mai este niciun cartonaș de tras.
error-no_piece_left = Nu a mai rămas o asemenea piesă.
error-no_such_wonder = Această minune nu există.
error-print_gone = Fotografia a fost trimisă prea demult: fotografiază minunea din nou sau păstrează exemplarul fără imaginea lui.
error-wonder_not_seen = Această minune nu se vede acolo: fotografiaz-o din nou sau scrie fișierul ei.
error-other_wonder = Acest fișier este al altei minuni.
error-wonder_named = Acest server a fost pornit cu un fișier pentru această minune: alt exemplar nu poate fi memorat.
error-not_five_squares = Nu are conturul a cinci căsuțe: fotografiază cartonașul singur și întreg, pe o masă simplă.
error-not_in_stack = Acel cartonaș nu este în teanc.
error-not_your_turn = Alt jucător este la rând.
error-one_action = Într-o tură se poate face un singur lucru.
error-tile_fits = Cartonașul poate fi plasat.
error-too_few_wonders = Sunt prea puține minuni.
error-too_many_meeples = Sunt prea mulți meepleși.
error-wonder_fits = Minunea poate fi plasată.
error-wonder_not_available = Acea minune nu este disponibilă.
error-wonder_not_reached = Încă nu s-a ajuns la nicio minune.
error-wonder_not_taken = Minunea nu a fost luată.
error-wonder_not_told = Nu s-a precizat ce minune a fost luată.
error-wonder_not_yet = Minunea nu poate fi plasată încă.
error-wonder_twice = Aceeași minune este dată de două ori.
error-wonder_waits = O minune așteaptă să fie plasată.
error-wrong_place = Piesa nu poate sta acolo.
error-feature_occupied = Acolo stă deja cineva.
error-no_follower_there = Piesa poate fi pusă doar unde stă deja un meeple de aceeași culoare.
error-square_taken = Acolo se află deja un cartonaș.
error-touches_nothing = Un cartonaș trebuie să atingă altul cu o latură.
error-edge_mismatch = Marginile cartonașelor nu se potrivesc.
error-river_not_continued = Un cartonaș cu râu trebuie să continue râul.
error-river_turns_back = Râul nu are voie să se întoarcă brusc înapoi.
error-bad_head = Începutul înregistrării nu poate fi citit.
error-bad_move = O mutare din înregistrare nu poate fi citită.
error-bad_number = Un număr din înregistrare nu poate fi citit.
error-bad_scores = Punctele din înregistrare nu pot fi citite.
error-score_differs = Punctele din înregistrare nu sunt cele ale mutării.
error-total_differs = Totalurile din înregistrare nu sunt cele ale jocului.
error-folder_unreachable = Dosarul cu fotografii nu poate fi listat.
error-no_photos = În dosar nu sunt imagini.
error-bad_listing = Lista fotografiilor nu poate fi folosită.
error-bad_roster = Lista meselor are nevoie de un antet cu o coloană „table”; celelalte sunt event, round, culorile și player 1, player 2 și așa mai departe.
error-bad_roster_line = Un rând din lista meselor nu poate fi folosit.
error-roster_repeats = O masă sau un jucător apare de două ori într-o rundă din listă.
error-roster_too_long = Lista are prea multe mese.
error-bad_pattern = Modelul numelor de fișiere nu poate fi folosit.
error-bad_scheduler = Asta nu e o adresă de planificator. Scrie-o așa: tcp://host:8786.
error-cluster_missing = Citirea pe un cluster Dask are nevoie de pachetul suplimentar `cluster`: pipx install '.[cluster]'.
error-bad_journal = Jurnalul unei rulări anterioare din dosar este deteriorat: alege alt dosar.
error-disk_full = Discul bazei de date este plin: eliberează spațiu, apoi pornește din nou serverul.
error-storage_read_only = Pe discul cu datele păstrate nu se poate scrie: fă-l inscriptibil și dă utilizatorului serverului dreptul de a scrie acolo.
error-database_newer = Baza de date este a unei versiuni mai noi de Wondertally: pornește acea versiune sau restaurează o copie mai veche.
error-database_older = Baza de date este a unei versiuni dinainte de 0.1.0, pe care această versiune nu o poate migra: pornește o dată versiunea 0.6.0 cu ea sau indică altă bază de date.
error-database_unversioned = Baza de date are tabele cu aceste nume, dar nu indică versiunea lor: restaurează o copie de siguranță sau indică altă bază de date.
error-database_damaged = Baza de date este deteriorată: restaurează o copie de siguranță sau mută fișierul în altă parte ca să începi cu una goală.
error-out_in_use = O altă rulare scrie în același dosar.
error-would_overwrite = Lotul ar suprascrie în dosarul de ieșire fișiere care nu sunt ale lui: alege alt dosar.
error-no_batch = În acest dosar nu s-a rulat niciun lot.
error-no_event = Din acest dosar nu a fost preluat niciun turneu.
error-scheduler_unreachable = La adresa planificatorului nu răspunde nimeni.
error-not_a_scheduler = La adresa aceea răspunde altceva decât un planificator Dask.
error-scheduler_lost = Planificatorul a dispărut. Citirile încheiate se păstrează: pornește din nou aceeași comandă.
error-no_workers = Planificatorul nu are procese de lucru.
error-photo_changed = Fotografia a fost schimbată între timp: următoarea rulare o citește.
error-reading_failed = Programul a eșuat la această fotografie: următoarea rulare încearcă din nou.
error-versions_differ = Procesul de lucru are altă versiune a programului, a rețelelor sau a bibliotecilor, ori alte date memorate.
error-worker_unfit = Unui proces de lucru îi lipsesc programul sau rețelele.

## Foaia pentru masa de turneu
sheet-title = Rezultat
sheet-rules = Reguli: { $edition }
sheet-tiles = { $n ->
    [one] { $n } cartonaș
    [few] { $n } cartonașe
   *[other] { $n } de cartonașe
}
sheet-box-rules = { $played ->
    [yes] cu regulile din { $boxes }
   *[no] fără regulile din { $boxes }
}
sheet-round = Runda { $number }
sheet-table = Masa { $number }
sheet-winners = { $n ->
    [one] Câștigător: { $players }
   *[other] Victorie la egalitate: { $players }
}
sheet-place = Loc
sheet-player = Jucător
sheet-colour = Culoare
sheet-final = Punctare finală
sheet-track = Tabelă de scor
sheet-total = Total
sheet-entries = Puncte
sheet-doubts = Îndoieli rămase
sheet-no-doubts = Nu a rămas nicio îndoială care să poată schimba punctele.
sheet-may-be = { square }: poate { $instead }.
sheet-player-may-be = Toate piesele citite ca { $player }: poate { $instead }.
sheet-player-may-be-absent = Este posibil ca { $player } să nu fi jucat{ $likely }.
sheet-unknown = { square }: necunoscut.
sheet-coat = { square }: { $question } { $coats ->
    [0] Nu
   *[other] Da
}: { $likely }.
spot-and-more = { $spot } și încă { $n }
sheet-spot-may-be = { $spot }: poate { $instead }.
sheet-spot-may-partly-be = { $spot }: poate în parte { $instead }.
sheet-spot-unknown = { $spot }: necunoscut.
sheet-spots-set = { $n ->
    [one] O valoare a fost introdusă manual.
    [few] { $n } valori au fost introduse manual.
   *[other] { $n } de valori au fost introduse manual.
}
sheet-more = { $n ->
    [one] Încă una nu este arătată aici.
    [few] Încă { $n } nu sunt arătate aici.
   *[other] Încă { $n } de altele nu sunt arătate aici.
}
sheet-several = { $n ->
    [one] { $n } rând
    [few] { $n } rânduri
   *[other] { $n } de rânduri
}
sheet-photo = Fotografie
sheet-corrected = { $n ->
    [one] Un cartonaș sau meeple a fost corectat manual.
    [few] { $n } cartonașe și meepleși au fost corectate manual.
   *[other] { $n } de cartonașe și meepleși au fost corectate manual.
}
sheet-signature = Semnătură
sheet-referee = Arbitru
sheet-date = Data

## Cât de probabil este ceva
percent-exactly = { $n } %
percent-more = peste { $n } %
percent-less = sub { $n } %

## Extensii cu reguli proprii
box-base = jocul de bază
box-river1 = „Râul”
box-river2 = „Râul II”
box-inns = „Hanuri și catedrale”
box-traders = „Negustori și constructori”
box-abbot = „Abatele”
box-abbey = „Abația și primarul”
box-siege = „Asediul”
box-hills = „Dealuri și oi”
box-monasteries = „Mănăstiri din Germania”
