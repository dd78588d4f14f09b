# The page's own words. Slots: { $n } is a number that picks the plural form; all others are filled in as they are.

language = Language
skip-to-main = Skip to the content
about = Photograph the table at the end of a game and get every player's points, each one explained on the photo.
about-carcassonne = Photograph the table at the end of a game of Carcassonne and get every player's points, each one explained on the photo.
games-here = Games read here
title = Who won?
close = Close
cancel = Cancel
needs-script = This page needs JavaScript.

take-photo = Take a photo
choose-photos = Choose photos
drop-or-paste = You can also drop photos anywhere on this page, or paste them.
chosen-photos = Chosen photos
several-photos = If one photo does not show the whole table, add more photos that overlap.
read = { $n ->
    [one] Count the points
   *[other] Count the points from { $n } photos
}
photo-number = Photo { $n }
remove-photo = Remove photo { $n }
no-photo = This file is not a picture.
try-example = No game at hand? Try an example photo
try-question = Or a photo that leaves a question open
uploading = Sending …
uploaded = { $share } sent
uploaded-all = Sent. The photo is being read …
server-full = The server has no room at the moment. This page waits and then goes on by itself …
my-games = Your games
my-games-hint = The camera keeps the score of these games. Tap one to go on.
my-readings = Your readings
my-readings-hint = This list is kept on this device only. Removing an entry here deletes nothing on the server.
play-again = Play again
won = winner:
forget = Remove from this list
not-read-yet = not read yet
tips = For a good reading
tip-whole = The whole board in the picture, with a little table around it.
tip-above = From above rather than from the side.
tip-light = Bright, even light and no hand over the board.
privacy = The place and time of a photo are removed before it is stored. The photo is deleted after a few weeks, or at once if you ask.

a-reading = A reading
a-board = A board
reading-photo = Reading your photo
reading-starts = It starts in a moment.
reading-opens = Opening the reading …
queued = { $n ->
    [one] One photo is ahead of yours.
   *[other] { $n } photos are ahead of yours.
}
queued-next = Yours is next.
scoring = Scoring
stage-decode = Opening the photo
stage-lattice = Finding the tiles
stage-track = Looking for the score track
stage-tiles = Recognising the tiles
stage-legal = Checking that they fit together
stage-meeples = Finding the meeples
stage-score = Counting the points
stage-game = Recognising the game
stage-opening = { stage-decode }
stage-board = Finding and reading the board
stage-counting = { stage-score }
that-failed = That did not work
failed-photo = The photo that could not be read
another-photo = Try another photo
retake = Take it again
retake-cut = The board is cut off, or hardly visible, { $sides }: take the photo from above and from farther away.
retake-left = on the left
retake-right = on the right
retake-top = at the top
retake-bottom = at the bottom
advice-PhotoError = Open the picture and save it again as a JPEG, or take the photo again.
advice-too_large = Save it in a smaller size, and send that.
advice-truncated_image = Send it again, and stay on this page until it is sent.
advice-ReadingError = Photograph the whole board from above, with a little table around it, in bright, even light.
advice-photos_do_not_join = The photos must overlap by a few tiles. It is best to take one from farther away that shows everything.
advice-photos_out_of_order = Send them in the order in which they were taken, each with the whole board.
advice-InputError = Check what you entered, and try again.
advice-CorrectionError = Nothing was changed: look at the board again, and choose once more.
advice-EnrolmentError = Check the photo and the entries, and try again.
advice-cannot_write_enrolment = Ask the owner of this server.
advice-game_not_enrolled = Show this server the empty board first, from the home page.
advice-models_missing = Ask the owner of this server to install Wondertally again.
advice-unsupported_game = Choose another game.
advice-QuestionError = Reload this page, and choose again.
advice-BatchError = Correct the list, and save it again.
advice-ScoringError = Correct it, and try again.
advice-bad_answer = Reload this page, and try again.
missing-page = Page not found
missing-page-why = The address may be mistyped, or the link may have been cut off.
missing-reading = This reading is gone
missing-reading-why = It was deleted or has expired: readings are kept for a limited time only. If someone sent you the link, ask for it again, as it may have been cut off.
missing-event = This event is gone
missing-event-why = It was deleted, or the link is incomplete. Ask the organiser for the link.
missing-game = This game is gone
missing-game-why = It was deleted or has expired, or the link is incomplete.
to-first-page = Home page
links = More pages
help-title = Help
help-about = From the end of the game to the points.
help-photo = Taking the photo
help-photo-text = Photograph the whole board from above, with a little table around it, in bright, even light. Leave all pieces where they stand. If the board does not fit, take several photos that overlap and send them together.
help-check = Checking
help-check-text = The points are shown on the photo. If the photo leaves a doubt, the page asks you, with the most important questions first. You correct anything else yourself: tap Correct, then tap the mistake in the picture. Every correction can be undone.
help-game = Final scoring and score track
help-game-text = The photo shows the board at the end. The final scoring counts the meeples that still stand there: farms, and roads, cities and monasteries that were never finished. Points scored during the game stand on the score track. If the track is not in the picture, enter them under Players.
help-camera-text = Still playing? Put a phone on a stand so that it sees the whole table: it takes a photo after each move and keeps the score. You can also take the photos by hand. The score pad counts without photos.
help-event = Several tables
help-event-text = For a tournament or a club evening, create an event: each table is photographed, doubts are settled at one desk, and the standings update automatically. Players hand in their own tables with a QR code, and spectators follow the standings.
help-photos-kept = Your photos
no-board = This link contains no board.

picture = The board
picture-hint = Picture of the board. Arrow keys move it, plus and minus zoom, 0 shows all of it. Everything in it is listed beside it.
drawn-hint = The board as drawn. Arrow keys move it, plus and minus zoom, 0 shows all of it.
sights = View
sight-photo = Photo
sight-drawn = Drawn board
sight-both = Photo and drawn board
zoom-in = Zoom in
zoom-out = Zoom out
zoom-fit = Show all of it
photos = Photos of this table
photo-of = Photo { $n } of { $most }
photo-before = Previous photo
photo-next = Next photo
tools = Tools
undo = Undo
redo = Redo
reset = Reset
reset-sure = All corrections are dropped, and the points are again those first read from the photo. You can undo this.
reset-now = Reset now
reset-keep = Keep the corrections
correct = Correct
table = Players
share = Share
tap-to-correct = Tap what is wrong: a tile, a piece, or an empty square.
result = Result
final-scoring = Final scoring, without the score track
where-points-come-from = How the points add up
all-features = Every road, city, monastery and field
rows-and-columns = Rows and columns
all-squares = Every square
player = Player
on-track = Score track
on-board = Final scoring
points = Points
total = Total
no-entries = No points from the board.
sure = The points are { $share } likely to be exactly right.
unsure = An unknown tile may change the points.
unsure-unsaid = The points depend on how many people played, on how many tiles were in the game, or on whether the rules of another box were played.
tied = A tie: { $who }
nothing-doubtful = Nothing looks doubtful.
track-missing = The points on the score track are still missing, so nobody can say yet who won.
track-unsure = The score board leaves some points open, so nobody can say yet who won.
no-pieces = No meeple stands on this board, so nobody scores here.
add-a-photo = Add a photo
say-it = Enter it
doubtful = Something here is in doubt.
points-changed = { $player } { $before } → { $now }
rescored = Counted again: { $points }.
added-up = Added up: { $points }.
problems = Against the rules
warnings = { $n ->
    [one] One warning about this table
   *[other] { $n } warnings about this table
}

kinds-district = Building tiles
kinds-natural_resource = Natural resources
kinds-monument = Monuments
kinds-green = Green areas
size = { $n ->
    [one] { $n } tile
   *[other] { $n } tiles
}
tiles = { $n ->
    [one] { $n } tile
   *[other] { $n } tiles
}
pieces = { $n ->
    [one] { $n } piece
   *[other] { $n } pieces
}
complete = finished
open = not finished
nobody = nobody
nobody-stands = No piece stands here.
who-stands = Pieces here
feature-picture = Picture to print
feature-link = Link to this
link-to = Link to { $feature }
feature-gone = There is no { $feature } on this board: it may have been corrected since.
its-squares = Its squares
squares-in-order = Its squares, numbered
mark-at = { $what }: { $square }
open-at = Open to the { $side } of { $square }
touches-complete = Touches the finished city { $city }
touches-open = Touches the unfinished city { $city }
lines-row = Rows
lines-column = Columns
line-row = Row { $index }
line-column = Column { $index }
run-row = columns { $first } to { $last }
run-column = rows { $first } to { $last }
place = { $what }, { $where }
side-north = north
side-east = east
side-south = south
side-west = west
side-north-east = north-east
side-north-west = north-west
side-south-east = south-east
side-south-west = south-west
in-doubt = in doubt
set-by-person = corrected by hand
empty = empty

questions = { $n ->
    [one] One thing is in doubt. Can you help?
   *[other] { $n } things are in doubt. Can you help?
}
questions-left-open = { $n ->
    [one] One question is still open.
   *[other] { $n } questions are still open.
}
questions-left = { $n ->
    [one] last question
   *[other] { $n } questions
}
answer-them = Show me
ask-again = Ask again
enlarge = Enlarge
in-the-photo = In the photo
as-read = as read
not-sure = I am not sure
changes-nothing = same points
asked-of-all = The answer applies to all marked pieces.
crop = The photo at { $square }

which-tile = Which tile lies here?
turn-left = Turn left
turn-right = Turn right
unknown-tile-lies = An unknown tile
no-tile-yet = Choose a tile
no-tile-fits = No tile fits the tiles around this square.
all-tiles = Show all tiles
tiles-with = Only tiles with
tiles-with-road = a road
tiles-with-city = a city
tiles-with-coat = a coat of arms
tiles-with-monastery = a monastery
tiles-none = No tile has all of these.
tiles-of-other-boxes = Tiles of other boxes
tiles-of-box = Box
tiles-usual = the usual boxes
wonder-here = A wonder begins here
set-wonder = Place it here
set-tile = Change to this tile
add-tile = Add this tile
right-as-it-is = This is right
no-tile = No tile here
no-wonder = No wonder here
unknown-tile = A tile, but none of these
pieces-here = Pieces on it
add-piece = Add a piece

stands-on = It stands on
colour = Colour
piece = Piece
pose = Pose
set-piece = Change the piece
no-piece = No piece here
elsewhere = On another square
pick-place = Tap where it stands.
piece-on = A piece at { $square }
new-piece-on = A new piece at { $square }

players = Players
track-hint = Each player’s points on the score track, from the whole game before the final scoring.
name-of = Name of { $colour }
track-of = Score track: { $colour }
track-is = { $colour }: { $points ->
    [one] { $points } point
   *[other] { $points } points
} on the score track
track-other = Other points
track-points = Points on the score track
add-up = Add them up
one-less = { $player }: one point less
one-more = { $player }: one point more
points-negative = Points cannot be less than 0.
points-no-number = Enter a whole number, such as 64.
points-too-many = 9999 points at most.
nothing-changed = Nothing has changed.
track-empty = Enter each player’s points on the score board.
track-in-photo = The score board is in the photo
track-not-found = The score board was not recognised in the photo. Enter the points, or add a photo that shows the score board alone, from straight above.
track-read = These points were read from the score board. Correct any that are wrong.
photo-score = Keep the score of a game
photo-score-offer = Still playing? Let a camera keep the score
keep-score = Score pad
pad-offer = Still playing? Count by hand
pad-about = Tap a player, then the points. Everything stays on this device.
pad-offline = It opens without a network, too.
pad-players = Who plays?
pad-start = Start
pad-gets = { $player } scores
pad-told = { $player }: { $by }, now { $points }
pad-over = Game over?
pad-over-about = Photograph the table at the end of the game. These points are sent with the photo, and only the final scoring is added.
pad-new = New game
pad-new-sure = All points and names on this page are deleted.
pad-new-now = Start over
pad-new-stay = Keep playing
take-kept = Use the points kept on this device
starts-anew = All photos are then read again. Names and the points on the score track are kept; your corrections on the board are not.
add-track-photo = Add a photo of the score board
no-more-tiles = No more tiles were laid
base-games-lie-here = Yes, { $games } base games
another-player = Another player
wonder-owners = Owners of the wonders
game = The game
which-rules = Rules
box-copies = Boxes on the table
box-copies-hint = Enter how many copies of a box you mixed, 0 for none. Empty fields are counted from the tiles.
box-rules = Rules of other boxes
box-rules-hint = The setup of the wonders adds the tiles of other boxes without their rules.
box-rules-unsaid = not specified
box-rules-on = played with its rules
box-rules-off = tiles only, without its rules
player-count = Number of players
player-count-hint = Include players with no piece on the board.
holdings = Gold, king and other points
holdings-hint = Enter 1 for the player who holds the king or the robber baron. Other points are those of rules that are not scored here.
tokens = Goods
tokens-hint = Number of goods tokens that each player took.
tokens-of = Goods of { $colour }
tiles-in-play = Tiles in play
save = Save

your-set = Your own set of tiles
your-set-hint = When everything here is right, this server can remember your tiles. Later readings then recognise them more reliably.
teach-set = Remember these tiles
teach-about = The server keeps small pictures of these tiles under the names shown here and uses them to read every later photo.
teach-takes = { $n ->
    [one] One tile will be remembered.
   *[other] { $n } tiles will be remembered.
}
teach-kinds = { $n ->
    [one] They are all of one kind.
   *[other] They are of { $n } different kinds.
}
teach-wonders = Among them: { $wonders }.
teach-left-out = { $n ->
    [one] One square is left out because it is unknown, cut off or covered.
   *[other] { $n } squares are left out because they are unknown, cut off or covered.
}
teach-nothing = No tile here can be remembered.
teach-doubtful = { $n ->
    [one] One tile is still in doubt. Check it first, because a wrong tile would be remembered, too.
   *[other] { $n } tiles are still in doubt. Check them first, because wrong tiles would be remembered, too.
}
teach-undo = You can undo this at any time.
teach-local-only = Nothing can be remembered from here, because that changes everybody’s readings. Open this page on the machine that runs the server (as http://localhost), pair this device there (“Open on a phone”), or ask the owner for an API key.
teach-key-wanted = You need an API key for this, because what is remembered changes everybody’s readings on this server. Its owner can give you one.
api-key = API key
key-about = This server asks for an API key. Its owner can give you one.
enter-key = Enter an API key
remember-key = Remember it on this device
use-key = Use this key
key-kept = This browser keeps an API key for this server.
forget-key = Forget the key
set-name = Name of this set
learnt = { $n ->
    [one] Remembered: { $name }, one tile.
   *[other] Remembered: { $name }, { $n } tiles.
}
read-again = Read this photo again
read-again-hint = Finished readings do not change. Reading the same photo again makes a new reading, without the corrections of this one.
taught = Remembered on this server
taught-nothing = Nothing yet.
taught-about = { $n ->
    [one] one tile, from { $source }, { $made }
   *[other] { $n } tiles, from { $source }, { $made }
}
forget-it = Forget
forget-set = Forget { $name }
forgotten = Forgotten: { $name }.
is-forgotten = Forgotten
bring-back = Bring back
bring-back-set = Bring back { $name }
brought-back = { $name } is remembered again.

teach-copy = My tile is printed differently
teach-wonder = { $wonder }: your copy
wonder-mode = What do you want to change?
wonder-mode-edges = Edges
wonder-mode-joins = Joins
wonder-hint-edges = Tap an edge to switch between field, road and city.
wonder-hint-joins = To join two road or city ends, drag from one to the other or tap both. Do it again to separate them. Choose a numbered square as the second place to add that square to the road or city.
wonder-meaning = In words
wonder-undo = Undo the last change
wonder-redo = Redo the change
wonder-undone = The last change is undone.
wonder-redone = The change is redone.
wonder-save = Keep this layout
wonder-use-here = Keep it in this browser
wonder-kept-here = Your browser can keep this layout instead and send it with each of your photos. You can also download it as a file.
wonder-no-end = Only field meets that edge, so there is nothing to join.
wonder-tap-other = Now tap the other end, or a numbered square.
wonder-joined = Joined.
wonder-parted = Separated.
wonder-not-joined = Only two road ends or two city ends can be joined.
wonder-square-stays = That square has to stay.
wonder-end = Square { $square }, { $side ->
    [N] top
    [E] right
    [S] bottom
   *[W] left
} edge: { $kind ->
    [field] field
    [road] road
   *[city] city
}
wonder-square = Square { $n }
wonder-in-the-photo = The squares of the wonder, cut out of the photo
wonder-wrong = This cannot be right yet
wonder-drop = Remove it
wonder-lies-on = Lies on squares
wonder-walled = Lies right against the wonder
wonder-into-wonder = Ends at the wonder
wonder-into-monastery = Ends at the monastery
wonder-closed = Runs all around, with a field inside
wonder-likelier = Look again: this outline matches { $wonder } better.
wonder-coats = Coats of arms
wonder-coats-unknown = unknown
wonder-places = The wonder itself and the monastery
wonder-stands-on = The wonder stands on squares
wonder-marker-on = The marker stands on
wonder-monastery-on = The monastery stands on
wonder-no-monastery = no monastery
wonder-taken = This is the layout from the file.
wonder-kept = Kept: from now on { $wonder } is read and scored like this.
wonder-kept-print = The look of its squares is kept too, from this photo.
wonder-kept-without-print = The look of its squares is not kept: this photo does not show all of them, or was sent too long ago.
wonder-kept-in-browser = Kept in this browser: it is sent with each photo that you send from here.
wonder-reading-corrected = The points of this reading have been counted again with it.
wonder-take-back = Take it back
wonder-take-back-of = Take back the layout of { $wonder }
wonder-taken-back = Taken back: the previous layout is used again.
wonder-download = Download the file
wonder-upload = Open a file
wonder-leave = Your changes to this wonder have not been kept yet.
leave-changes = Discard your changes?
leave-now = Discard them
go-on-editing = Keep editing
error-where = { $place }: { $error }
place-line = Line { $line }, column { $column }
place-key = “{ $key }”
place-edge = Edge { $edge }
place-given = “{ $given }”
place-at = At the point [{ $x }, { $y }]
wonders-of-mine = Your wonder tiles
wonders-hint = Wonder tiles are not all printed alike. Show this server yours.
wonders-open = View the wonders
wonders-about = Photograph a wonder tile, check the result and keep it. From then on the wonder is read and scored as printed.
which-wonder = Which wonder is it?
wonder-photo = Photograph it
wonder-photo-read = The photo is being read …
wonder-source-shipped = our best guess at the print
wonder-source-taught = as kept here
wonder-source-named = from a file given when this server was started
wonder-source-browser = kept in this browser
wonder-look = View
wonder-look-at = View { $wonder }
wonder-city = This city covers { $n ->
    [one] one square
    [2] two squares
    [3] three squares
    [4] four squares
   *[other] { $n } squares
} ({ $squares }) and meets { $ends ->
    [0] no edge
    [one] one edge
    [2] two edges
    [3] three edges
    [4] four edges
   *[other] { $ends } edges
}.
wonder-city-coats-unknown = It is unknown whether it has a coat of arms.
wonder-city-coats = { $n ->
    [one] It has one coat of arms.
   *[other] It has { $n } coats of arms.
}
wonder-city-walled = It lies right against the wonder: the field is cut in two there.
wonder-road = This road has { $ends ->
    [0] no open end
    [one] one open end
    [2] two open ends
    [3] three open ends
    [4] four open ends
   *[other] { $ends } open ends
} and lies on { $n ->
    [one] square { $squares }
   *[other] squares { $squares }
}.
wonder-road-into-wonder = It ends at the wonder.
wonder-road-into-monastery = It ends at the monastery.
wonder-road-into-wonder-monastery = It ends at the wonder and at the monastery.
wonder-road-into-nothing = It only leads from edge to edge.
wonder-road-closed = It runs all around, with a field inside.
wonder-field = This field lies on { $n ->
    [one] square { $squares }
   *[other] squares { $squares }
} and touches { $cities ->
    [0] no city
    [one] one city
    [2] two cities
   *[other] { $cities } cities
}.
wonder-rules-road_squares = The rules give this wonder { $there ->
    [one] one road, covering { $stated } of its squares
   *[other] { $there } roads, covering { $stated } of its squares
}. Here { $here ->
    [0] there is none
    [one] there is one, covering { $found }
   *[other] there are { $here }, covering { $found }
}.
wonder-rules-road_ends = Open ends of its roads by the rules: { $stated }; here: { $found }.
wonder-rules-city_squares = The rules give this wonder { $there ->
    [one] one city, covering { $stated } of its squares
   *[other] { $there } cities, covering { $stated } of its squares
}. Here { $here ->
    [0] there is none
    [one] there is one, covering { $found }
   *[other] there are { $here }, covering { $found }
}.
wonder-rules-monasteries = { $most ->
    [0] By the rules there is no monastery on this wonder.
   *[other] By the rules a monastery stands on this wonder.
}
wonder-rules-fields = Fields of this wonder by the rules: { $stated }; here: { $found }. That may be right: not all copies are cut alike.
wonder-problem-cannot_be_drawn = With this layout, roads and cities would have to cross, or could not pass from square to square.
wonder-problem-no_way_out = One road or city reaches no edge: tap an edge for it, or remove it.

link = Link to this reading
board-link = The board in a link
board-link-hint = Contains the whole board. It is not stored on any server and includes no photo.
copy = Copy
copied = Copied.
share-with = Share …
others-may-correct = Others may correct it
download = Download
download-pdf = A page to print (PDF)
download-picture = Photo with points (JPEG)
share-picture = Share the photo with points
bg-stats = Open in BG Stats
bg-stats-hint = Names and points go to that app, which asks before it keeps them.
share-again = The picture is ready: tap again to share it.
download-csv = Table (CSV)
download-json = Everything (JSON)
kept-until = Kept until { $time }.
delete = Delete
delete-sure = The photo and the reading are deleted at once, for everybody.
delete-now = Delete now
keep = Keep it
error-offline = The server cannot be reached. Are you online?
error-bad_answer = The server sent an answer that this page does not understand.

piece-disc = disc
mark-coat-of-arms = Coat of arms
mark-inn = Inn
mark-cathedral = Cathedral
mark-pig-herd = Pig herd
rules-C3 = Today: a farm pays 3 for each finished city
rules-C3-2023 = Alhambra pays 4 a farmer (before September 2024), else as today
rules-C3-original = Wonders score in the turn they are laid (their first rules), else as before 2024
rules-C1-third = Old tiles, without wonders: a farm pays 3 for each finished city
rules-C1-second = About 2003: no player scores a city for two farms; a city of two tiles pays 2
rules-C1-first = About 2000: a city pays 4 to the most farmers around it; a city of two tiles pays 2

an-event = An event
tables-of-event = Tables
tables-find = Player or table
tables-state = Show
tables-sort = Order
tables-all = all
tables-open = to be checked
tables-shown = { $n } of { $all } tables
roster = Roster
roster-hint = A CSV file states which players sit at which table of which round: columns round and table, and players by colour or as player 1, player 2 and so on. Photos of a table then belong to them.
roster-file = CSV file
roster-saved = { $tables ->
    [0] There is no roster any more.
   *[other] The roster is saved. Rounds: { $rounds }, tables: { $tables }, players: { $players }.
}
roster-heading = round,table,player 1,player 2
no-photo-yet = no photo yet
all-rounds = all rounds
standings-of = Standings of
tables-awaited = Tables without a photo
paired = Playing here: { $players }
sorted-by-urgency = urgent first
sorted-by-place = by round and table
sorted-by-points = by points
standings = Standings
round = round { $round }
table-named = table { $table }
place-of = Place
wins = Wins
state-failed = not readable
state-doubtful = doubtful
state-sure = sure
state-waiting = waiting
state-unscorable = not scorable
state-checked = checked
somebody = no name
somebody-else = Someone else
conflict-by = { $who } was quicker ({ $what }). The page is up to date now: look again, then continue.
changed-tile = tile at { $square }
changed-tiles = tiles
changed-piece = piece at { $square }
changed-pieces = pieces
changed-table = details of the game
decided-by = { $who }, { $time }
without-track = Without the score track.
confirm = Looks right
unscorable = Cannot be scored
why = Why
open-reading = Open the reading
open-photo = Photo { $n }: open full size
names-and-track = Names and points on the score track
told-typed = { $table }: names and track saved.
standings-open = No winner yet, because the points on the score track are missing: { $tables }.
ranked-by = Ranked by { $order }.
ranked-by-label = Ranked by
rank-wins = wins
rank-points = points
rank-share = share of the table’s points
print-results = Print the results
hand-in = Hand in your table
event-link-hand-in = Link for players, to hand in their own table
hand-in-hint = Show or print this code: anyone who scans it can add a table with its photos, and change nothing else.
hand-in-code = QR code for players
hand-in-code-save = Save the code as a picture
may-decide = Check tables
token-of-event = The event’s token
who-are-you = Who are you?
your-name = Your name, as shown in the history
history = History
nothing-done = Nothing has been decided yet.
keys = Keyboard shortcuts
key-next = Next table
key-previous = Previous table
key-answer = Choose this answer
act-checked = checked
act-unscorable = not scorable
act-reopened = taken back
act-corrected = corrected
act-reset = reset to the reading
act-undone = correction taken back
act-redone = correction made again
act-shared = others may correct
act-unshared = only the owner may correct
told-checked = { $table }: checked.
told-answered = { $table }: answered, counted again.
told-unscorable = { $table }: left out of the standings.
told-undone = { $table }: taken back.
export-results = Results (CSV)
export-standings = Standings (CSV)
export-reports = Reports (JSON lines)

events-of-mine = Your events
events-hint = Several tables in one list: photograph each table, settle the doubts, and the standings update automatically. An event stays on the server until it is deleted; this list is kept on this device only.
make-event = Create an event
event-named = Name of the event
event-link = Link for spectators
event-link-check = Link for helpers, to check tables and add photos
event-link-hint = Anyone who has it can change and delete everything here. Keep a copy yourself: without it, nothing can be changed from another device.
delete-event-sure = The event is deleted at once, with all its tables, readings and photos, for everybody.
no-tables = No tables yet.
no-tables-add = No tables yet. Add the first one with its photos.
add-table = Add a table
add-photos = Add photos
add-photos-hint = They are read together with the readable photos of this table, so all of them must show the same moment.
table-photos = Photos of the table
table-each = These photos show several tables
tables-found = Tables: { $n } ({ $names }). Photos: { $photos }.
table-pattern = Round and table in the files’ names
pattern-wrong = A pattern holds {"{"}table{"}"}, and may hold {"{"}round{"}"}, {"{"}event{"}"} and {"{"}{"}"} for anything else.
sending-tables = { $name }: photos are being sent ({ $n } of { $most }).
send-again = Send again
leave-out = Leave out
photos-too-many = { $n ->
    [one] Only one photo of each table is read.
   *[other] At most { $n } photos of one table are read together.
}
round-is = Round
table-is = Table, by number or name
contest-is = Contest
delete-table = Delete the table
delete-table-sure = The table is deleted at once, with its reading and photos, for everybody.
state-reading = being read
act-added = photos added
told-added = { $table }: being read.
told-same = { $table }: already has these photos.
told-deleted = { $table }: deleted.
same-picture = { $photo }: the very same picture as { $other }, which belongs to another table.
without-names = It counts in the standings once every colour here has a name.

which-game = Which game is it?
recognise-game = Recognise it automatically
other-games = Not read here yet
other-games-hint = This server does not know the empty boards of these games yet. Its owner photographs each board once, empty, for this command:
show-a-board = Show this server your empty board
not-known = not known
lies-there = Contents
nothing-there = Nothing there.
won-by = Winner: { $who }
which-spot = What lies here?
ask-spot = What lies here?
set-spots = Change it
may-be-instead = { $spot } might also be:
to-be-typed = { $n ->
    [one] One number cannot be read from a photo. You can enter it.
   *[other] { $n } numbers cannot be read from a photo. You can enter them.
}
all-typed = You can enter the numbers that no photo shows.
type-them = Enter
typed-title = Numbers that no photo shows
typed-of = What does { $player } have?
typed-hint = Enter the numbers that you see. “Nothing more” counts everything else here as zero.
typed-before = Back
nothing-more = Nothing more
nobody-has-more = Nobody has anything more
one-fewer = { $what }: one less
one-further = { $what }: one more
who-plays-hint = The players and their names.
all-spots = Everything on the table
all-that-scores = Everything that scores
tap-to-correct-spot = Tap what is wrong.
photos-aside = Photos in which nothing was found
unsure-spots = Something unknown may change the points.
pieces-there = On the table
pieces-new = New
whole-piece = The whole piece ({ $n ->
    [one] { $n } square
   *[other] { $n } squares
})
spots-square = Squares of the maps
spots-resource = Resource markers
spots-loan = Unpaid loans
spots-objective = Public objectives
spots-solo_mode = { spot-solo_mode }
spots-solo_monuments = { spot-solo_monuments }
cell-loan = Unpaid loan
cell-resource = { $resource }

phone-open = Open on a phone
phone-hint = A phone in the same network can send photos, answer questions and keep score.
phone-show = Show the code
phone-scan = Scan this with the phone’s camera; the phone must be in the same network. If its browser warns of the certificate, go on: this computer made it.
phone-code = QR code of { $address }
phone-pair = Pair a phone
phone-pair-about = A phone that scans this code may also change what this server remembers of your games and correct every reading, until you remove it.
phone-count = { $n ->
    [0] No phone is paired.
    [one] One phone is paired.
   *[other] { $n } phones are paired.
}
phone-forget = Remove all paired phones
phone-plain = To let phones correct readings and keep your tiles here, start the server with “wondertally serve --lan”.
phone-paired = This device may now correct readings and keep your tiles here.
link-only-here = These links open on this computer only. Start the server with “wondertally serve --lan” to share them with others.
