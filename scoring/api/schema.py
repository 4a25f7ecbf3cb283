"""OpenAPI schemas from the typed bodies, so that the contract is written down once."""

from typing import Any

import msgspec


def body_schema(body: Any) -> dict[str, Any]:
    """For drf-spectacular: the JSON schema of a msgspec type, nested types included in place."""
    (schema,), components = msgspec.json.schema_components([body], ref_template="{name}")
    return {"application/json": _inline(schema, components)}


def _inline(schema: Any, components: dict[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_inline(item, components) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _inline(components[schema["$ref"]], components)
    return {key: _inline(value, components) for key, value in schema.items()}
