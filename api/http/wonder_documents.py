"""The meaning of a wonder's layout, as documents of the API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import tomlkit

from api.errors import build_error_document
from api.render.tile_svg import format_path
from api.schemas.readings import ErrorBody
from api.schemas.wonders import (
    LayoutContradiction,
    WonderLayoutInput,
    WonderMeaning,
    WonderPart,
    WonderPlanEntry,
    WonderProposal,
)
from scoring.carcassonne.tiles.topology import GRID_UNITS
from scoring.carcassonne.wonders.files import build_wonder, parse_entry, parse_plan, restore_wonder
from scoring.carcassonne.wonders.plans import place_part, plan_layout, write_plan
from scoring.carcassonne.wonders.shapes import find_likelier_wonder
from scoring.carcassonne.wonders.tiles import COATS_UNSEEN, WonderLayout
from scoring.carcassonne.wonders.validation import (
    Contradiction,
    Features,
    count_layout,
    count_plan,
    find_other_fields,
    list_contradictions,
)
from scoring.errors import CatalogueError


def explain_layout(sent: WonderLayoutInput) -> WonderMeaning:
    """Explain a layout that was sent; an impossible plan is returned with its `problem`.

    Raises CatalogueError for a file that holds no layout.
    """
    if sent.plan is None:
        return describe_layout(read_sent_layout(sent))
    contradictions = list[LayoutContradiction]()
    try:
        plan = parse_plan(write_entry(sent.plan))
        contradictions = _list_contradictions(plan.id, count_plan(plan))
        return describe_layout(read_sent_layout(sent))
    except CatalogueError as error:
        problem = ErrorBody(**build_error_document(error)["error"])
        return WonderMeaning(plan=sent.plan, contradictions=contradictions, problem=problem)


def read_sent_layout(sent: WonderLayoutInput) -> WonderLayout:
    """Read a layout that was sent; raises CatalogueError for an impossible one."""
    return build_wonder(parse_entry(sent.file or "") if sent.plan is None else write_entry(sent.plan))


def describe_layout(layout: WonderLayout) -> WonderMeaning:
    """Describe a layout: its plan, its parts with their shapes, and its contradictions to the rule texts."""
    unseen = [guess for guess in layout.inferred if guess == COATS_UNSEEN]
    plan = {**write_plan(plan_layout(layout)), **({"inferred": unseen} if unseen else {})}
    other_fields = find_other_fields(layout)
    return WonderMeaning(
        plan=WonderPlanEntry.model_validate(plan),
        parts=[_describe_part(layout, number) for number in range(len(layout.parts))],
        marker=(layout.marker[0] * GRID_UNITS, layout.marker[1] * GRID_UNITS),
        contradictions=_list_contradictions(layout.id, count_layout(layout)),
        likelier=find_likelier_wonder(layout),
        other_fields=None if other_fields is None else _build_contradiction(other_fields),
        file=tomlkit.dumps(plan if layout.is_bare else dict(layout.entry)),
    )


def build_proposal(
    entry: Mapping[str, Any], quads_px: Sequence[list[list[float]] | None], photo: str | None = None
) -> WonderProposal:
    """Build the document of a wonder read from a photo, which is kept under the name `photo` for a while."""
    quads = [None if quad is None else [(x, y) for x, y in quad] for quad in quads_px]
    return WonderProposal(**dict(describe_layout(restore_wonder(entry))), quads_px=quads, photo=photo)


def write_entry(plan: WonderPlanEntry) -> dict[str, Any]:
    """Return the entries of a wonder's file for a plan."""
    return plan.model_dump(mode="json", exclude_defaults=True)


def _describe_part(layout: WonderLayout, number: int) -> WonderPart:
    part = layout.parts[number]
    return WonderPart(
        kind=part.kind,  # type: ignore[arg-type]
        squares=sorted({*part.squares}),
        open_ends=part.open_ends,
        cities=len(part.cities),
        coats=layout.count_coats(number),
        path=format_path(place_part(layout, number)),
    )


def _list_contradictions(id: str, features: Features) -> list[LayoutContradiction]:
    return [_build_contradiction(contradiction) for contradiction in list_contradictions(id, features)]


def _build_contradiction(contradiction: Contradiction) -> LayoutContradiction:
    return LayoutContradiction(
        about=contradiction.about, stated=list(contradiction.stated), found=list(contradiction.found)
    )
