"""Where webhooks may not go."""

import pytest
from django.core.exceptions import ValidationError

from rebuilds.http_post import NotSent, post
from rebuilds.models import Webhook


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.com/",
        "file:///etc/passwd",
        "example.com",
        "//example.com/",
        "http://",
        "https:///path",
        "http://user:secret@example.com/",
        "http://example.com:port/",
        "http://example.com:99999/",
        "http://example.com/a b",
        "http://example.com/\r\nHost: inside",
        "http://exämple.com/",
        "http://[::1/",
    ],
)
def test_what_is_no_address_of_a_web_server_is_refused_when_it_is_set_up_and_when_it_is_used(url: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Webhook(url=url).clean_fields(exclude=["created_at"])
    assert refused.value.message_dict.keys() == {"url"}

    with pytest.raises(NotSent):
        post(url, b"", {}, may_be_private=True)


@pytest.mark.parametrize("url", ["https://example.com", "http://example.com:8080/a/b?c=d", "http://[2001:db8::1]/"])
def test_addresses_of_web_servers_are_taken(url: str) -> None:
    Webhook(url=url).clean_fields(exclude=["created_at"])
