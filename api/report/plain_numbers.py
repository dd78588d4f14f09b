"""Numbers as JSON has them: true and false are none, though Python counts them as 1 and 0."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema


def refuse_boolean(value: Any) -> Any:
    """Return a value as it is; raises ValueError for true and false."""
    if isinstance(value, bool):
        raise ValueError("a number is wanted, not true or false")
    return value


def _check_numbers(schema: Any) -> Any:
    """A part of a schema in which each number is checked once."""
    if isinstance(schema, list | tuple):
        return type(schema)(map(_check_numbers, schema))
    if not isinstance(schema, dict):
        return schema
    if schema.get("type") in ("int", "float"):
        return core_schema.no_info_before_validator_function(refuse_boolean, schema)
    if schema.get("type") == "function-before" and schema["function"].get("function") is refuse_boolean:
        return schema
    return {key: value if key in ("metadata", "default") else _check_numbers(value) for key, value in schema.items()}


class PlainNumbers(BaseModel):
    """A model that takes no boolean where a number is wanted, however deep in its fields that is."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema with a check before each number; what OpenAPI says of it stays as it is."""
        schema: CoreSchema = _check_numbers(handler(source))
        return schema
