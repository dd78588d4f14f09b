"""Numbers as JSON has them: finite, none that doubles cannot tell apart; true and false are none where that matters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from scoring.documents import MAX_NUMBER


def refuse_boolean(value: Any) -> Any:
    """Return a value as it is; raises ValueError for true and false."""
    if isinstance(value, bool):
        raise ValueError("a number is wanted, not true or false")
    return value


def _check_numbers(schema: Any, check: Callable[[Any], Any]) -> Any:
    """A part of a schema in which each number is checked once."""
    if isinstance(schema, list | tuple):
        return type(schema)(_check_numbers(part, check) for part in schema)
    if not isinstance(schema, dict):
        return schema
    if schema.get("type") in ("int", "float"):
        return check(schema)
    if schema.get("type") == "function-before" and schema["function"].get("function") is refuse_boolean:
        return schema
    return {
        key: value if key in ("metadata", "default") else _check_numbers(value, check) for key, value in schema.items()
    }


def _bound(schema: Any) -> Any:
    """A number's schema with the bounds that it lacks."""
    if schema["type"] == "float":
        return {"allow_inf_nan": False, **schema}
    return {
        **({} if "gt" in schema else {"ge": -MAX_NUMBER}),
        **({} if "lt" in schema else {"le": MAX_NUMBER}),
        **schema,
    }


def _bound_and_refuse_boolean(schema: Any) -> Any:
    return core_schema.no_info_before_validator_function(refuse_boolean, _bound(schema))


class BoundedNumbers(BaseModel):
    """A model whose numbers are finite and of at most `MAX_NUMBER`, however deep in its fields they are."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema with bounds where a number has none."""
        schema: CoreSchema = _check_numbers(handler(source), _bound)
        return schema


class PlainNumbers(BaseModel):
    """A model that takes no boolean where a number is wanted, however deep in its fields that is."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema with bounds for each number, and a check before it."""
        schema: CoreSchema = _check_numbers(handler(source), _bound_and_refuse_boolean)
        return schema
