"""/v1/phones: the address at which phones reach this server, and phones that may enrol and correct."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from api.http.dependencies import Serving, is_local_request
from api.http.errors import raises
from api.render.qr_code import draw_qr_code
from api.schemas.phones import Pairing, PhoneKey, PhoneSite
from api.server.errors import ServerError
from api.server.lan import LanSite

router = APIRouter(prefix="/v1/phones", tags=["phones"])


@raises("not_found", "local_only")
def find_site(request: Request, server: Serving) -> LanSite:
    """Return the server's address in its network, for its own machine alone; raises `not_found`, `local_only`."""
    if server.site is None:
        raise ServerError("not_found")
    if not is_local_request(request, server.settings.proxies):
        raise ServerError("local_only")
    return server.site


Site = Annotated[LanSite, Depends(find_site)]


@router.get("", response_model=PhoneSite)
def get_phone_site(server: Serving, site: Site) -> PhoneSite:
    """Return the address that phones in the same network open, and the number of paired ones."""
    return PhoneSite(address=site.address, can_pair=bool(site.fingerprint), paired=len(server.paired))


@router.get("/address.svg", response_class=Response)
def get_address_code(site: Site) -> Response:
    """Draw the address as a QR code."""
    return Response(draw_qr_code(site.address), media_type="image/svg+xml")


@router.get("/pairing.svg", response_class=Response)
@raises("not_found")
def get_pairing_code(server: Serving, site: Site) -> Response:
    """Draw a link that pairs the phone that opens it as a QR code; only a server with a certificate has one."""
    if not site.fingerprint:
        raise ServerError("not_found")
    return Response(draw_qr_code(f"{site.address}/#pair={server.paired.code}"), media_type="image/svg+xml")


@router.post("", status_code=201, response_model=PhoneKey)
@raises("wrong_code", "not_found")
def pair_phone(server: Serving, pairing: Pairing) -> PhoneKey:
    """Return a key for a code: sent as `X-API-Key` it lets a device enrol and correct every reading."""
    if server.site is None or not server.site.fingerprint:
        raise ServerError("not_found")
    return PhoneKey(key=server.paired.pair(pairing.code))


@router.delete("", status_code=204)
def forget_phones(server: Serving, site: Site) -> None:
    """Forget all paired phones; only the server's own machine may do that."""
    server.paired.forget()
