"""All kinds of doubt, each under the type of its alternatives or the fact that is assumed."""

from __future__ import annotations

from collections.abc import Mapping

from api.carcassonne.questions.border import BorderKind
from api.carcassonne.questions.kind import AnyKind
from api.carcassonne.questions.marker import MarkerKind
from api.carcassonne.questions.meeple import AnotherMeepleKind, PlaceKind
from api.carcassonne.questions.pile import PileKind
from api.carcassonne.questions.player import PlayerKind
from api.carcassonne.questions.special import SpecialKind
from api.carcassonne.questions.table_facts import BoxRulesKind, PlayersKind, TilesKind
from api.carcassonne.questions.tile import TileKind, UnknownTileKind
from api.carcassonne.questions.track import TrackKind
from api.carcassonne.questions.wonder import CoatsKind, FurtherWonderKind, WonderKind
from scoring.carcassonne.doubt.kinds.marker import UnseenMarker
from scoring.carcassonne.doubt.kinds.meeple import AnotherMeeple, OtherPlace
from scoring.carcassonne.doubt.kinds.pile import OtherCount
from scoring.carcassonne.doubt.kinds.player import OtherPlayer
from scoring.carcassonne.doubt.kinds.special import OtherSpecial
from scoring.carcassonne.doubt.kinds.tile import OtherTile
from scoring.carcassonne.doubt.kinds.wonder import FurtherWonder, OtherCoats, OtherWonder

TRACK, BORDER, UNKNOWN_TILE = TrackKind(), BorderKind(), UnknownTileKind()

BY_ALTERNATIVE: Mapping[type, AnyKind] = {
    OtherTile: TileKind(),
    OtherWonder: WonderKind(),
    OtherCoats: CoatsKind(),
    FurtherWonder: FurtherWonderKind(),
    OtherPlace: PlaceKind(),
    AnotherMeeple: AnotherMeepleKind(),
    OtherPlayer: PlayerKind(),
    OtherCount: PileKind(),
    OtherSpecial: SpecialKind(),
    UnseenMarker: MarkerKind(),
}
"""Kind of doubt of each type of alternative."""

BY_FACT: Mapping[str, AnyKind] = {"players": PlayersKind(), "tiles_in_play": TilesKind(), "box_rules": BoxRulesKind()}
"""Kind of doubt of each fact of the table that is asked about."""
