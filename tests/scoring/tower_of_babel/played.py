"""A game of Tower of Babel, played at random."""

from __future__ import annotations

from random import Random

from scoring.tower_of_babel.board import KINDS, WONDERS
from scoring.tower_of_babel.play import Build, Disc, Move, Offer, Pass, Play
from tests.scoring.tower_of_babel.tables import COMPONENTS

PLAYERS = ("red", "yellow", "blue")


def played(seed: int) -> Play:
    """Play a game of builds by the active player alone or with an accepted offer, and of passes, to its end."""
    rng = Random(seed)
    lying = [Disc(((kind, number),)) for number in (1, 2, 2, 3, 3, 3) for kind in KINDS]
    rng.shuffle(lying)
    play = Play(COMPONENTS, PLAYERS, {wonder: lying[3 * at : 3 * at + 3] for at, wonder in enumerate(WONDERS)})
    while not play.used_up:
        play.play(_lawful(play, rng))
    return play


def _lawful(play: Play, rng: Random) -> Move:
    wonder = rng.choice([wonder for wonder, wonder_discs in play.discs.items() if wonder_discs])
    disc = rng.choice(play.discs[wonder])
    ((kind, number),) = disc.needs
    other = rng.choice([player for player in PLAYERS if player != play.on_turn])
    offered = rng.randint(0, number)
    offers = {other: Offer({kind: offered}, trading=rng.random() < 0.3)} if offered else {}
    accepted = (other,) if offers and rng.random() < 0.6 else ()
    adds = {kind: number - (offered if accepted else 0)}
    if rng.random() < 0.2 or sum(adds.values()) == 0:
        return Pass(play.on_turn)
    return Build(play.on_turn, wonder, disc, offers, accepted, adds)
