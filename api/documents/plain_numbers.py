"""Numbers as in JSON: finite, within the exact range of doubles, and without booleans where that matters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from scoring.documents import MAX_NUMBER


def refuse_boolean(value: Any) -> Any:
    """Return a value unchanged; raises ValueError for true and false."""
    if isinstance(value, bool):
        raise ValueError("a number is wanted, not true or false")
    return value


def _check_numbers(schema: Any, check: Callable[[Any], Any]) -> Any:
    """Return a part of a schema with a check on each number."""
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
    """Return a number's schema with the bounds that it lacks."""
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
    """A model whose numbers, at any depth, are finite and of at most `MAX_NUMBER`."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema with bounds for numbers without them."""
        schema: CoreSchema = _check_numbers(handler(source), _bound)
        return schema


class PlainNumbers(BaseModel):
    """A model that accepts no boolean in place of a number, at any depth."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema with bounds for each number and a check before it."""
        schema: CoreSchema = _check_numbers(handler(source), _bound_and_refuse_boolean)
        return schema
