tile-named = tile { $tile }
tile-none = no tile
tile-unknown = another tile
meeple-none = no meeple
place-unknown = somewhere else
meeple-placed = { $colour } { $piece }: { $kind } { $side }
