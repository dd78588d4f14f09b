### Showing the empty boards of a game, in English.

boards-title = your board
boards-about = Show the empty board once. From then on this server reads photos of the finished table.
boards-how-clear = Clear the board: nothing may lie on it.
boards-how-card = Lay a bank card, or a loyalty card of that size, next to the board, with its back up. It shows how large the board is.
boards-how-photo = Take one sharp photo from above that shows all of the board and the card.
boards-picture-board = Game board
boards-file-hint = Somebody else with the same edition has done this already? Then open their file instead.
boards-open-file = Open a board file
boards-state-begun = You have begun this board: everything so far is saved.
boards-state-kept = This server knows this board. You can show it again.
boards-state-new = This board has not been shown yet.
boards-go-on = Continue
boards-another-photo = Start over with another photo
boards-photo = Photograph the empty board
boards-drop = Discard
boards-drop-about = Everything you have marked on this board so far will be lost.
boards-in-force = In use
boards-read-now = Photos of this game are read with your board.
boards-still-missing = Still missing for a score:
boards-undo = Undo the last change
boards-undone = The last change is undone.
boards-download = Download the board file
boards-reading = Looking for the board in the photo …
boards-kept = Done: from now on this server reads with { $n ->
    [one] this board
   *[other] these boards
}: { $boards }.
boards-picture-label = Photo of the board. Arrow keys move it, plus and minus zoom, Enter marks the middle.
boards-steps = Steps
boards-step-corners = Corners
boards-step-size = Size
boards-step-places = Spaces
boards-step-numbers = Numbers
boards-keep = Done
boards-later = Later
boards-corners-found = Does the frame lie on the edges of the board, and the yellow side on its top? Turn it, or drag a dot.
boards-corner-tap = Tap the { $n ->
    [1] top left
    [2] top right
    [3] bottom right
   *[other] bottom left
} corner of the board, as you read it.
boards-card-found = Does the frame lie on the card? Drag a dot if it does not.
boards-card-tap = Tap the middle of the card next to the board.
boards-card-corner = Tap the four corners of the card in order, as if they were not rounded: corner { $n }.
boards-numbers-about = Type what is printed on your board.
boards-numbers-guessed = These numbers were read in the photo. Compare each with the picture, then confirm them.
boards-numbers-reading = The numbers are being read in the photo. You can type them meanwhile.
boards-places-done = Everything is marked. Look it over, then type the numbers.
boards-all-done = Everything is marked. Look it over, then tap Done.
boards-tap-area = Tap the space for building parts: { $of }
boards-label-area = Building parts: { $of }
boards-tap-disc = Tap space { $n } for building discs: { $of }
boards-label-disc = Building disc { $n }: { $of }
boards-tap-track = Victory point track: tap space 0.
boards-tap-track-on = Tap the next space where the track turns a corner, and its last space at the end.
boards-label-track = Victory point track
boards-tap-row-first = Scoring table: tap its top row.
boards-label-row-first = Scoring table, row 1
boards-tap-row-last = Scoring table: tap row 7, the last one above the light space.
boards-label-row-last = Scoring table, row 7
boards-tap-row-light = Scoring table: tap the light space for the end of the game.
boards-label-row-light = Scoring table, light space
boards-tap-bonus = Tap the bonus table for building discs.
boards-label-bonus = Bonus table
boards-tap-turn-first = Turn order track: tap its bottom space.
boards-label-turn-first = Turn order, bottom space
boards-tap-turn-last = Turn order track: tap its top space.
boards-label-turn-last = Turn order, top space
boards-right = That is right
boards-turn = Turn
boards-corners-anew = Tap the corners myself
boards-card-anew = Tap the card again
boards-path-done = That was the last space
boards-to-numbers = On to the numbers
boards-no-card = No card in the photo?
boards-width = Width of the board in cm
boards-height = Height of the board in cm
boards-use-size = Use this size
boards-all = All places ({ $n } of { $all } missing)
boards-anew = Mark again: { $what }
boards-drag = { $what }: if it is not quite right, drag its dots.
boards-path-numbers = The numbers printed on the spaces you tapped:
boards-track-counted = Counted up to space { $n }.
boards-track-unsure = The spaces up to the one you tapped cannot be counted in the picture. Type the number printed on it below, or undo and tap a space closer by.
boards-numbers-right = The numbers are right
boards-node = Number on tapped space { $n }
boards-value-most = Row { $n }: most parts
boards-value-second = Row { $n }: second most
boards-value-light-most = Light space: most parts
boards-value-light-second = Light space: second most
boards-value-bonus = { $n ->
    [one] Points for { $n } disc
   *[other] Points for { $n } discs of one kind
}
boards-value-bonus-two-coloured = { $n ->
    [one] Points for { $n } disc (only with two-coloured discs)
   *[other] Points for { $n } discs (only with two-coloured discs)
}
boards-missing = { $n ->
    [one] One thing is
   *[other] { $n } things are
} still missing: { $what }
boards-cut-out = This part of your board
boards-dot = Dot { $n }
boards-picture-map = Map board, side A
boards-picture-resources = Resource board, side A
boards-grid-about = Does the grid lie on the squares? Blue is water, yellow a natural resource: tap a square to change it.
boards-tap-map = Looking for the grid of the map.
boards-label-map = Grid of the map
boards-rows = Rows
boards-columns = Columns
boards-tap-resource = { $of }: tap space 0 of its track.
boards-tap-resource-on = { $of }: tap the last space of its track.
boards-label-resource = Track: { $of }
boards-track-gold = Gold
boards-track-population = Population
boards-track-food = Food
boards-track-ceramics = Ceramics
boards-track-gears = Gears
boards-picture-map-of = Map board of { $colour }, side B
boards-picture-resources-b = Resource board, side B
boards-fact-map-side = Which side of the map boards do you play?
boards-fact-map-side-A = A: the lake
boards-fact-map-side-B = B: the rivers
boards-fact-resources-side = Which side of the resource boards do you play?
boards-fact-resources-side-A = A
boards-fact-resources-side-B = B
boards-fact-mundo = I have the Mundo box
boards-fact-rings = Monument cards
boards-fact-rings-hint = How many rings (victory points) does each card show? Each number is saved as you type it. A number that you leave out is needed only when that monument stands on a map.
boards-left = Still missing:
boards-nothing-left = Nothing is missing any more: photos of your tables can be scored.
boards-pieces = { $n ->
    [0] No monument is known by sight yet. Name one at a table, and it will be recognised from then on.
    [one] One monument is known by sight. Name others at a table, and they will be recognised from then on.
   *[other] { $n } monuments are known by sight. Name others at a table, and they will be recognised from then on.
}
boards-shapes = Building tiles
boards-shapes-about = { $n ->
    [0] Draw which squares a tile of each stack covers. Once all shapes are known, tiles that lie side by side are distinguished far better.
    [one] One shape is known. Draw the others as well: a tile of an unknown shape is hardly ever read correctly.
   *[other] { $n } shapes are known.
}
boards-shapes-begun = You have begun to draw: everything so far is saved.
boards-shapes-draw = Draw the shapes
boards-shapes-change = Change the shapes
boards-shapes-photo = Photograph the tiles
boards-shapes-photo-hint = Handy, but not necessary: lay one tile of each shape side by side and photograph them, to look at while you draw.
boards-shapes-prompt = Shape { $n }: tap the squares that the tile covers. Its orientation does not matter.
boards-shapes-prompt-photo = Shape { $n }: tap the tile in the photo, then draw the squares that it covers.
boards-shapes-list = Shapes
boards-shapes-one = Shape { $n }
boards-shapes-add = Another shape
boards-shapes-remove = Remove shape { $n }
boards-shapes-grid = Squares of shape { $n }
boards-shapes-square = Row { $row }, column { $col }
boards-shapes-picture-label = Photo of the tiles. Arrow keys move it, plus and minus zoom, Enter marks the middle.
boards-shapes-drop-about = Everything you have drawn since you started will be lost. Shapes that were known before stay.
boards-shapes-kept = { $n ->
    [0] No shapes of building tiles are known any more.
    [one] Done: one shape of building tiles is known.
   *[other] Done: { $n } shapes of building tiles are known.
}
boards-to-photo = Score a table
boards-tap-rings = Population: tap each space that shows a ring, twice where it shows two.
boards-label-rings = Rings on the population track
boards-tap-symbols = { $of }: tap each space that shows a Population symbol. You may skip this.
boards-label-symbols = Population symbols: { $of } (optional)
boards-spaces-done = Those were all
pieces-offer = { $names }: should this server recognise { $n ->
    [one] it
   *[other] them
} by sight from now on?
pieces-keep = Remember
pieces-kept = { $names }: { $n ->
    [one] this one is
   *[other] they are
} recognised by sight from now on.
boards-no-picture = The photo of the board could not be loaded.
