"""Replies on the wire, with the headers that Django's middleware gives to every answer."""

from django.http import HttpRequest, HttpResponse
from django.middleware.security import SecurityMiddleware

from leaderboard_site.door.messages import Send
from scoring.api.reply import JSON, Reply

WireHeaders = list[tuple[bytes, bytes]]


def headers_of_all() -> WireHeaders:
    """What Django says with every answer over plain HTTP."""
    response = SecurityMiddleware(lambda _: HttpResponse())(HttpRequest())
    assert isinstance(response, HttpResponse)
    del response["Content-Type"]
    return [_on_wire(name, value) for name, value in response.items()]


async def send_reply(send: Send, reply: Reply, more: WireHeaders) -> None:
    """Send it, with `more` headers."""
    headers = [*more, (b"content-length", b"%d" % len(reply.body))]
    if reply.body:
        headers.append((b"content-type", JSON.encode()))
    headers += [_on_wire(name, value) for name, value in reply.headers]
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    await send({"type": "http.response.body", "body": reply.body})


def _on_wire(name: str, value: str) -> tuple[bytes, bytes]:
    return name.lower().encode("latin-1"), value.encode("latin-1")
