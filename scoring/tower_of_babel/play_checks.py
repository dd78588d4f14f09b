"""Checks of builds against the rules ("1. Select Wonder" to "4. Build")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scoring.errors import PlayError
from scoring.tower_of_babel.board import KINDS
from scoring.tower_of_babel.components import Components
from scoring.tower_of_babel.play_moves import Build
from scoring.tower_of_babel.problems import compute_max_parts


def refuse_wrong_offers(build: Build, players: Sequence[str]) -> None:
    """Raise PlayError for an illegal offer.

    Codes: not_an_opponent, no_such_card, offer_too_large, trading_card_alone.
    """
    for player, offer in build.offers.items():
        if player == build.player or player not in players:
            raise PlayError("not_an_opponent", f"{player} makes {build.player} no offer", player=player)
        _refuse_strange_cards(offer.cards)
        offered = sum(offer.cards.values())
        if offered > build.disc.number:
            raise PlayError("offer_too_large", f"{player} offers {offered} cards for {build.disc.number}")
        if offer.trading and not offered:
            raise PlayError("trading_card_alone", f"{player} offers a trading card without building cards")


def refuse_wrong_selection(build: Build) -> None:
    """Raise PlayError if the accepted offers and the added cards do not match the disc.

    Codes: nothing_offered, two_trading_cards, too_many_accepted, no_such_card, too_many_added.
    """
    for player in build.accepted:
        if player not in build.offers or not build.offers[player].needed(build.disc):
            raise PlayError("nothing_offered", f"{player} offers nothing that is needed", player=player)
    if len(set(build.accepted)) < len(build.accepted):
        raise PlayError("too_many_accepted", "an offer is accepted once")
    if sum(build.offers[player].trading for player in build.accepted) > 1:
        raise PlayError("two_trading_cards", "only one opponent with a trading card may be selected")
    needs, accepted = dict(build.disc.needs), build.accepted_cards()
    if any(number > needs[kind] for kind, number in accepted.items()):
        raise PlayError("too_many_accepted", "the offers accepted hold more than the disc needs")
    _refuse_strange_cards(build.added())
    if any(number + accepted[kind] > needs.get(kind, 0) for kind, number in build.added().items()):
        raise PlayError("too_many_added", f"{build.player} adds more than the disc needs")


def refuse_missing_parts(components: Components, worths: Mapping[str, Sequence[int]]) -> None:
    """Raise PlayError `no_parts_left` if a player does not have enough parts for the given worth on each wonder.

    The rules do not cover this case. As many parts as possible are assumed to be of value 3.
    """
    for player, wonder_worths in worths.items():
        large = min(components.parts.of(3), sum(worth // 3 for worth in wonder_worths))
        if sum(wonder_worths) - 3 * large > compute_max_parts(components, 1):
            raise PlayError("no_parts_left", f"{player} has no building parts left for that", player=player)


def _refuse_strange_cards(cards: Mapping[str, int]) -> None:
    for kind, number in cards.items():
        if kind not in KINDS or number < 0:
            raise PlayError("no_such_card", f"{number} cards with {kind} cannot be", kind=kind)
