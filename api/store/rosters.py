"""Rosters of events in the database: who plays at which table of which round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Engine, delete, insert, select
from sqlalchemy.orm import Session

from api.server.errors import ServerError
from api.store.event_sync import lock_event
from api.store.tables import EventRow, EventTableRow, PairingRow
from api.tournament.listed_tables import ListedTable
from api.tournament.roster import Pairing


class RosterStore:
    """Rosters of the events of a database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def put(self, event: str, pairings: Sequence[Pairing]) -> None:
        """Replace an event's roster; raises ServerError `not_found`."""
        rows = [_build_row(event, number, pairing) for number, pairing in enumerate(pairings)]
        with Session(self._engine) as session, session.begin():
            lock_event(session, event)
            if session.get(EventRow, event) is None:
                raise ServerError("not_found")
            session.execute(delete(PairingRow).where(PairingRow.event == event))
            if rows:
                session.execute(insert(PairingRow), rows)

    def complete(self, event: str, listed_table: ListedTable) -> ListedTable:
        """Fill in a table's contest and names if none are stated.

        The contest is that of the table in the roster or of the event's other tables, if there is only one; the names
        are those of the roster.
        """
        with Session(self._engine) as session:
            pairings = read_roster(session, event)
            others = {*session.scalars(select(EventTableRow.contest).where(EventTableRow.event == event).distinct())}
        if not listed_table.event:
            contests = _list_contests(pairings, listed_table) or others
            listed_table = replace(listed_table, event=contests.pop() if len(contests) == 1 else "")
        place = (listed_table.event, listed_table.round, listed_table.table)
        names = next((pairing.names for pairing in pairings if pairing.place == place), {})
        return listed_table if listed_table.names else replace(listed_table, names=names)


def read_roster(session: Session, event: str) -> tuple[Pairing, ...]:
    """Return an event's roster, in its order."""
    query = select(PairingRow).where(PairingRow.event == event).order_by(PairingRow.position)
    return tuple(
        Pairing(row.contest, row.round, row.name, row.names, tuple(row.players)) for row in session.scalars(query)
    )


def _list_contests(pairings: Sequence[Pairing], table: ListedTable) -> set[str]:
    """Return the contests in which a roster has a table of this round and name."""
    return {pairing.contest for pairing in pairings if pairing.place[1:] == (table.round, table.table)}


def _build_row(event: str, number: int, pairing: Pairing) -> dict[str, object]:
    contest, round, name = pairing.place
    players = {"names": dict(pairing.names), "players": list(pairing.players)}
    return {"event": event, "position": number, "contest": contest, "round": round, "name": name, **players}
