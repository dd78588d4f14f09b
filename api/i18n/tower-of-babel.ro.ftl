### Turnul Babel, în română.

## Ce se află pe masă
wonder-giza = Piramidele din Giza
wonder-colossus = Colosul din Rodos
wonder-zeus = Statuia lui Zeus din Olimpia
wonder-gardens = Grădinile Suspendate din Babilon
wonder-mausoleum = Mausoleul din Halicarnas
wonder-lighthouse = Farul din Alexandria
wonder-artemis = Templul lui Artemis din Efes
wonder-babel = Turnul Babel
disc-camel = cămilă
disc-crane = macara
disc-ship = corabie
disc-mason = pietrar
disc-camel-crane = cămilă și macara
disc-camel-ship = cămilă și corabie
disc-camel-mason = cămilă și pietrar
disc-crane-ship = macara și corabie
disc-crane-mason = macara și pietrar
disc-ship-mason = corabie și pietrar
card-disc-bonus = bonus pentru discuri de construcție
card-points = 5 puncte de victorie
kind-discs = discuri de construcție
kind-card = cărți de acțiune
spot-parts = { $wonder }, { $player }: piese de construcție de valoare { $worth }
spot-discs_left = { $wonder }: discuri de construcție rămase
spot-track = { $player }: puncte pe traseul de scor
spot-row = Marcajul de punctaj: cu câte rânduri a coborât
spot-two_coloured = Discuri în două culori
spot-held = { $player }: discuri de construcție, { $disc }
spot-cards = { $player }: cărți de acțiune, { $card }
value-row-light = spațiul deschis la culoare
spots-parts = Piese de construcție
spots-discs_left = Discuri de construcție la minuni
spots-track = Traseul de scor
spots-row = Tabelul de punctaj
spots-two_coloured = { spot-two_coloured }
ask-spot-two_coloured = Au fost în joc discurile în două culori?
spots-held = Discurile de construcție ale jucătorilor
spots-cards = Cărți de acțiune care aduc puncte
cell-held = Discuri de construcție: { $disc }
cell-cards = Cărți de acțiune: { $card }
cell-track = Puncte pe traseu
sheet-spot-parts = { $value } × { $worth }
sheet-spot-discs_left = au rămas { $value }

## Reguli
rule-wonder-most = Cele mai multe piese de construcție
rule-wonder-tied = Egalitate la cele mai multe piese
rule-wonder-second = Al doilea la piese de construcție
rule-wonder-part = Piese de construcție la o minune
rule-discs-kind = Discuri de același fel
rule-cards-disc-bonus = Bonus pentru discuri de construcție
rule-cards-points = 5 puncte de victorie

## Unde se află regulile
explain-section-babel-end = Sfârșitul jocului
explain-section-babel-cards = Cărți de acțiune

## Calculele intrărilor
worth-on-wonder = { $row ->
    [light] { $wonder }: valoare { $worth }, spațiul deschis la culoare
   *[other] { $wonder }: valoare { $worth }, rândul { $row }
}
entry-wonder-most = { worth-on-wonder }
entry-wonder-tied = { worth-on-wonder }
entry-wonder-second = { worth-on-wonder }
entry-wonder-part = { worth-on-wonder }
entry-discs-kind = { $two_coloured ->
    [0] { $discs } × { $disc }
   *[other] { $discs } × { $disc } (dintre care în două culori: { $two_coloured })
}
entry-cards-disc-bonus = { $cards ->
    [one] { $cards } carte, discuri: { $discs } × { $each }
    [few] { $cards } cărți, discuri: { $discs } × { $each }
   *[other] { $cards } de cărți, discuri: { $discs } × { $each }
}
entry-cards-points = { $cards } × { $each }

## Problemele unei mese
problem-too_many_parts = { $player } are la minuni { $number } × piesă de valoare { $worth }; cel mult { $most } sunt posibile.
problem-too_many_completed = Minuni terminate: { $number }; cel mult { $most } sunt posibile.
problem-parts_on_completed = { $wonder }: minunea este terminată, dar acolo se află piese în valoare de { $worth }.
problem-marker_elsewhere = Marcajul de punctaj a coborât cu { $row }, dar minuni terminate: { $number }.
problem-parts_without_discs = { $wonder }: piese în valoare de { $worth } și discuri luate: { $taken } nu se potrivesc; ar fi posibil de la { $least } la { $most }.
problem-too_many_two_coloured = Discuri în două culori la jucători: { $number }; cel mult { $most } sunt posibile.
problem-too_many_discs = Discuri de același fel ({ $disc }) la jucători: { $number }; cel mult { $most } sunt posibile.
problem-discs_do_not_add_up = Discuri la minuni: { $left }, la jucători: { $held }; în joc sunt însă { $all }.
problem-too_many_cards = Jucătorii au { $number } × { $card }; cel mult { $most } sunt posibile.
problem-no_kind_used_up = La minuni se află încă discuri de fiecare fel ({ $left } în total), deci jocul nu s-a încheiat: este punctat ca și cum s-ar termina acum.

## Erori
error-strange_spot = Așa ceva nu poate fi acolo.
