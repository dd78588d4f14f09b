"""Clients have their turns one after the other, however much one of them has sent."""

from __future__ import annotations

from api.service.turns import Turns


def drain(turns: Turns[str]) -> list[str]:
    taken = []
    while (item := turns.take()) is not None:
        taken.append(item[1])
    return taken


def test_a_client_who_comes_later_does_not_wait_for_all_of_another() -> None:
    turns = Turns[str]()
    for number in range(3):
        turns.put("many", f"many {number}")
    assert turns.take() == ("many", "many 0")
    turns.put("one", "one 0")
    order = list(turns.list_order())
    assert order == ["one 0", "many 1", "many 2"]
    assert drain(turns) == order
    assert not turns.has("many")


def test_items_of_one_client_keep_their_order() -> None:
    turns = Turns[str]()
    for item in "abc":
        turns.put("", item)
    assert drain(turns) == ["a", "b", "c"]


def test_a_client_holds_no_more_than_its_share_at_once() -> None:
    turns = Turns[str](1)
    for client in ("a", "a", "b"):
        turns.put(client, client)
    assert drain(turns) == ["a", "b"]
    turns.end("b")
    assert turns.take() is None
    turns.end("a")
    assert drain(turns) == ["a"]
