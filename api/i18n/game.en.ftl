# A game whose score is kept from photos. Slots: { $n } is a number that picks the plural form; all others are filled in as they are.

game-who = Who plays?
game-who-hint = Tap the colours in turn order.
game-about = A camera watches the table, takes a photo after each move and keeps the score. Nobody has to type anything.
game-points-of = { $colour } so far
game-on-turn = Whose turn is it?
game-boxes = Boxes and rules
game-base-games = Base games
game-boxes-in-play = Other boxes in play
game-wonders = Wonders per player
game-begin = Begin
game-range = { $low } to { $high }
game-unsettled = not settled
game-tied = { $players } are tied.
game-leads = { $player } leads by { $n }.
game-left = { $n ->
    [one] { $n } tile left.
   *[other] { $n } tiles left.
}
game-chart = { $n ->
    [one] Points after one turn: { $players }
   *[other] Points after { $n } turns: { $players }
}
game-camera = Camera
game-watch = Watch the table
game-watch-no-more = Stop the camera
game-take-now = Take a photo now
game-hands-off = Put the phone on a stand so that it sees the whole table from above. It takes a photo after each move. You can also take photos by hand, whenever somebody scores.
game-state-starting = The camera starts.
game-state-moving = A move …
game-state-reached = Something reaches over the table. The photo waits for it to go.
game-state-still = Watching the table.
game-state-lost = The camera was lost. It is opened again as soon as it is back.
game-to-send = { $n ->
    [one] One photo is waiting to be sent.
   *[other] { $n } photos are waiting to be sent.
}
game-to-read = { $n ->
    [one] One photo is being read.
   *[other] { $n } photos are being read.
}
game-camera-insecure = Browsers open the camera over HTTPS only. Start the server with “wondertally serve --lan” and open the address it prints, or take the photos by hand.
game-camera-denied = The browser may not use the camera. Allow it in the settings of this page, or take the photos by hand.
game-camera-missing = There is no camera here. Take or choose the photos by hand.
game-camera-busy = Another program is using the camera. Close it and try again.
game-unreached = The server cannot be reached. Photos wait on this device.
game-watching = You are watching. The score updates by itself.
game-begun = The first photo has arrived. Points are counted from the next one on.
game-open-title = Open questions
game-more-open = { $n ->
    [one] One more
   *[other] { $n } more
}
game-photo-aside = Photo { $n } does not count: { $reason }
game-log = Log
game-assumed = assumed
game-open = open
game-assumed-hint = No photo shows this piece: it was probably set and taken back at once.
game-not-taken = No piece was set here
game-other-tile = Another tile lies here
game-no-tile = No tile lies here
game-other-piece = Another piece stands here
game-no-piece = none
game-set-piece = Set this piece
game-other-turn = It was another player’s turn
game-type-points = Enter points
game-type-points-hint = The points on the score track at this moment. They settle what the photos leave open.
game-type-points-go = These are the points
game-no-photo-yet = There is no photo yet.
game-leave-photo-out = Leave this photo out
game-said = Corrections
game-take-back = Take back: { $what }
game-said-points = Points at photo { $n }: { $points }
game-said-turn = { $n ->
    [first] { $player } was on turn at the first photo
   *[other] { $player } was on turn at photo { $n }
}
game-said-not_taken = No piece was set at { $square }
game-said-tile = { $what ->
    [none] No tile at { $square }
   *[some] Tile chosen at { $square }
}
game-said-piece = { $what ->
    [none] No piece at { $square }
   *[some] { $player } at { $square }
}
game-said-wonder_owner = { $player } took a wonder
game-said-aside = Photo { $n } was left out
game-link = Link to watch
game-link-hint = It shows the score and the log.
game-link-keep = Link to keep the score
game-link-keep-hint = It also permits adding photos and correcting.
game-file-txt = Log (text)
game-file-json = Everything (JSON)
game-file-csv = Table (CSV)
game-file-png = Picture of the score (PNG)
game-delete-sure = The game is deleted at once, with all its photos, for everybody.
game-finish = Finish the game
game-finish-hint = The final scoring of the last photo is added. Photograph the board before pieces are cleared away. You can go on later.
game-go-on = Go on playing
game-over = The game is over
game-wins = { $player } wins with { $points }.
game-draw = { $players } share the victory with { $points }.
game-in-play = Score track
game-final = Final scoring
game-total = Total
